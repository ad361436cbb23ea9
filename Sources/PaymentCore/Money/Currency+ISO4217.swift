/// The ISO 4217 table, as of early 2026.
extension Currency {
    /// Every currency that can be charged, in the order of the codes.
    public static let all: [Currency] = chargeable.values.sorted { $0.letters < $1.letters }

    /// The currencies that can be charged, by the letters of their codes.
    static let chargeable: [UInt32: Currency] = {
        let groups: [(digits: UInt8, text: String)] = [
            (0, withoutDigits), (2, withTwoDigits), (3, withThreeDigits), (4, withFourDigits),
        ]
        var found: [UInt32: Currency] = [:]
        for group in groups {
            for (letters, number) in numbers(in: group.text) {
                found[letters] = Currency(letters: letters, number: number, digits: group.digits)
            }
        }
        return found
    }()

    /// The numbers of codes in force that have no minor unit, by the letters of the codes.
    package static let withoutMinorUnit = Dictionary(
        numbers(in: withoutMinorUnitText),
        uniquingKeysWith: { first, _ in first }
    )

    /// When codes were withdrawn, by their letters.
    static let withdrawn: [UInt32: String] = {
        var found: [UInt32: String] = [:]
        for entry in withdrawnText.split(whereSeparator: { $0 == "," || $0.isNewline }) {
            let parts = entry.drop { $0 == " " }.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let letters = letters(of: String(parts[0])) else { continue }
            found[letters] = String(parts[1])
        }
        return found
    }()

    private static func numbers(in text: String) -> [(UInt32, UInt16)] {
        text.split(whereSeparator: \.isWhitespace).compactMap { entry in
            guard let letters = letters(of: String(entry.prefix(3))),
                let number = UInt16(entry.dropFirst(3))
            else { return nil }
            return (letters, number)
        }
    }

    /// Codes and numbers of currencies with whole units only.
    private static let withoutDigits = """
        BIF108 CLP152 DJF262 GNF324 ISK352 JPY392 KMF174 KRW410 PYG600 RWF646 UGX800 UYI940
        VND704 VUV548 XAF950 XOF952 XPF953
        """

    /// Codes and numbers of currencies in hundredths.
    private static let withTwoDigits = """
        AED784 AFN971 ALL008 AMD051 AOA973 ARS032 AUD036 AWG533 AZN944 BAM977 BBD052 BDT050
        BMD060 BND096 BOB068 BOV984 BRL986 BSD044 BTN064 BWP072 BYN933 BZD084 CAD124 CDF976
        CHE947 CHF756 CHW948 CNY156 COP170 COU970 CRC188 CUP192 CVE132 CZK203 DKK208 DOP214
        DZD012 EGP818 ERN232 ETB230 EUR978 FJD242 FKP238 GBP826 GEL981 GHS936 GIP292 GMD270
        GTQ320 GYD328 HKD344 HNL340 HTG332 HUF348 IDR360 ILS376 INR356 IRR364 JMD388 KES404
        KGS417 KHR116 KPW408 KYD136 KZT398 LAK418 LBP422 LKR144 LRD430 LSL426 MAD504 MDL498
        MGA969 MKD807 MMK104 MNT496 MOP446 MRU929 MUR480 MVR462 MWK454 MXN484 MXV979 MYR458
        MZN943 NAD516 NGN566 NIO558 NOK578 NPR524 NZD554 PAB590 PEN604 PGK598 PHP608 PKR586
        PLN985 QAR634 RON946 RSD941 RUB643 SAR682 SBD090 SCR690 SDG938 SEK752 SGD702 SHP654
        SLE925 SOS706 SRD968 SSP728 STN930 SVC222 SYP760 SZL748 THB764 TJS972 TMT934 TOP776
        TRY949 TTD780 TWD901 TZS834 UAH980 USD840 USN997 UYU858 UZS860 VED926 VES928 WST882
        XAD396 XCD951 XCG532 YER886 ZAR710 ZMW967 ZWG924
        """

    /// Codes and numbers of currencies in thousandths.
    private static let withThreeDigits = """
        BHD048 IQD368 JOD400 KWD414 LYD434 OMR512 TND788
        """

    /// Codes and numbers of currencies in ten-thousandths.
    private static let withFourDigits = """
        CLF990 UYW927
        """

    /// Metals, units of account and test codes: in force, but nothing that can be charged.
    private static let withoutMinorUnitText = """
        XAG961 XAU959 XBA955 XBB956 XBC957 XBD958 XDR960 XPD964 XPT962 XSU994 XTS963 XUA965
        XXX999
        """

    /// Codes no longer in force and the month of their withdrawal, or what ISO gives instead.
    private static let withdrawnText = """
        ADP 2003-07, AFA 2003-01, ALK 1989-12, ANG 2025-03, AOK 1991-03, AON 2000-02,
        AOR 2000-02, ARA 1992-01, ARP 1985-07, ARY 1989 to 1990, ATS 2002-03, AYM 2005-10,
        AZM 2005-12, BAD 1998-07, BEC 1990-03, BEF 2002-03, BEL 1990-03, BGJ 1989 to 1990,
        BGK 1989 to 1990, BGL 2003-11, BGN 2026-01, BOP 1987-02, BRB 1986-03, BRC 1989-02,
        BRE 1993-03, BRN 1990-03, BRR 1994-07, BUK 1990-02, BYB 2001-01, BYR 2017-01,
        CHC 2004-11, CSD 2006-10, CSJ 1989 to 1990, CSK 1993-03, CUC 2021-06, CYP 2008-01,
        DDM 1990-07 to 1990-09, DEM 2002-03, ECS 2000-09, ECV 2000-09, EEK 2011-01,
        ESA 1978 to 1981, ESB 1994-12, ESP 2002-03, FIM 2002-03, FRF 2002-03, GEK 1995-10,
        GHC 2008-01, GHP 2007-06, GNE 1989-12, GNS 1986-02, GQE 1986-06, GRD 2002-03,
        GWE 1978 to 1981, GWP 1997-05, HRD 1995-01, HRK 2023-01, IEP 2002-03,
        ILP 1978 to 1981, ILR 1989 to 1990, ISJ 1989 to 1990, ITL 2002-03, LAJ 1979-12,
        LSM 1985-05, LTL 2014-12, LTT 1993-07, LUC 1990-03, LUF 2002-03, LUL 1990-03,
        LVL 2014-01, LVR 1994-12, MGF 2004-12, MLF 1984-11, MRO 2017-12, MTL 2008-01,
        MTP 1983-06, MVQ 1989-12, MXP 1993-01, MZE 1978 to 1981, MZM 2006-06, NIC 1990-10,
        NLG 2002-03, PEH 1989 to 1990, PEI 1991-07, PES 1986-02, PLZ 1997-01, PTE 2002-03,
        RHD 1978 to 1981, ROK 1989 to 1990, ROL 2005-06, RUR 2004-01, SDD 2007-07,
        SDP 1998-06, SIT 2007-01, SKK 2009-01, SLL 2023-12, SRG 2003-12, STD 2017-12,
        SUR 1990-12, TJR 2001-04, TMM 2009-01, TPE 2002-11, TRL 2005-12, UAK 1996-09,
        UGS 1987-05, UGW 1989 to 1990, USS 2014-03, UYN 1989-12, UYP 1993-03, VEB 2008-01,
        VEF 2018-08, VNC 1989-1990, XEU 1999-01, XFO 2006-10, XFU 2013-11, XRE 1999-11,
        YDD 1991-09, YUD 1990-01, YUM 2003-07, YUN 1995-11, ZAL 1995-03, ZMK 2012-12,
        ZRN 1999-06, ZRZ 1994-02, ZWC 1989-12, ZWD 2008-08, ZWL 2024-09, ZWN 2006-09,
        ZWR 2009-06
        """
}
