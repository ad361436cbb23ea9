extension JSONReceipt {
    /// The name of the schema that receipts of this version follow.
    public static let schemaName = "in-person-payments-receipt-1"

    /// The schema itself, by JSON Schema 2020-12; a receipt with other members gets another name.
    public static let schema = """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "in-person-payments-receipt-1",
          "type": "object",
          "required": ["schema", "status", "kind", "copy", "language", "title", "order", "time", "method"],
          "additionalProperties": false,
          "properties": {
            "simulated": { "const": "SIMULATED - NO MONEY MOVED", "description": "Present where no real money is involved." },
            "schema": { "const": "in-person-payments-receipt-1" },
            "status": {
              "enum": ["approved", "partlyApproved", "held", "captured", "released", "refunded", "pending", "declined", "cancelled", "failed", "unresolved"]
            },
            "kind": { "enum": ["sale", "authorization", "refundToCard", "capture", "void", "refund"] },
            "copy": { "enum": ["customer", "merchant"] },
            "language": { "type": "string", "description": "A BCP 47 tag." },
            "title": { "type": "string" },
            "message": { "type": "string", "description": "Why it was declined or failed, as it may be shown." },
            "notes": { "type": "array", "items": { "type": "string" } },
            "merchantName": { "type": "string" },
            "account": {
              "type": "object",
              "description": "On the merchant's copy.",
              "required": ["acquirer", "merchant", "environment"],
              "additionalProperties": false,
              "properties": {
                "acquirer": { "type": "string" },
                "merchant": { "type": "string" },
                "environment": { "enum": ["production", "sandbox", "simulated"] },
                "location": { "type": "string" }
              }
            },
            "order": { "type": "string" },
            "attempt": { "type": "string" },
            "time": { "$ref": "#/$defs/moment" },
            "asked": { "$ref": "#/$defs/amount" },
            "tip": { "$ref": "#/$defs/amount" },
            "surcharge": { "$ref": "#/$defs/amount" },
            "approved": { "$ref": "#/$defs/amount" },
            "remaining": { "$ref": "#/$defs/amount" },
            "validUntil": { "$ref": "#/$defs/moment" },
            "card": {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "brand": { "type": "string" },
                "lastFour": { "type": "string", "pattern": "^[0-9]{4}$" },
                "funding": { "type": "string" }
              }
            },
            "method": { "enum": ["tap", "qr", "unknown"] },
            "approvalCode": { "type": "string" },
            "application": {
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "name": { "type": "string" },
                "identifier": { "type": "string", "pattern": "^[0-9A-F]{10,32}$" },
                "verification": { "enum": ["none", "pin", "device"] },
                "accountType": { "type": "string" },
                "responseCode": { "type": "string", "pattern": "^[0-9A-Za-z]{2}$" },
                "cryptogram": { "type": "string", "pattern": "^[0-9A-F]{16}$" },
                "tvr": { "type": "string", "pattern": "^[0-9A-F]{10}$" },
                "tsi": { "type": "string", "pattern": "^[0-9A-F]{4}$" }
              }
            },
            "references": {
              "type": "array",
              "items": {
                "type": "object",
                "required": ["kind", "value"],
                "additionalProperties": false,
                "properties": { "kind": { "type": "string" }, "value": { "type": "string" } }
              }
            },
            "url": { "type": "string" }
          },
          "$defs": {
            "amount": {
              "type": "object",
              "required": ["minorUnits", "currency", "minorUnitDigits", "text"],
              "additionalProperties": false,
              "properties": {
                "minorUnits": { "type": "integer", "minimum": 0 },
                "currency": { "type": "string", "pattern": "^[A-Z]{3}$" },
                "minorUnitDigits": { "enum": [0, 2, 3, 4] },
                "text": { "type": "string" }
              }
            },
            "moment": {
              "type": "object",
              "required": ["at", "text"],
              "additionalProperties": false,
              "properties": { "at": { "type": "string" }, "text": { "type": "string" } }
            }
          }
        }

        """
}
