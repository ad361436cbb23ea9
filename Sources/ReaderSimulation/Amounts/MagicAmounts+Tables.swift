extension MagicAmounts {
    /// Source: this package; the last two digits, from 100 minor units upwards.
    static let neutral = MagicAmounts(
        .neutral,
        modulus: 100,
        smallest: 100,
        [
            (0, .approve),
            (1, .decline(.callIssuer)),
            (2, .asksForPIN(anyIsRight: false)),
            (3, .asksForPIN(anyIsRight: true)),
            (4, .decline(.pickUpCard)),
            (5, .decline(.doNotHonor)),
            (10, .approveHalf),
            (12, .decline(.invalidTransaction)),
            (14, .decline(.invalidCard)),
            (41, .decline(.lostCard)),
            (43, .decline(.stolenCard)),
            (51, .decline(.insufficientFunds)),
            (54, .decline(.expiredCard)),
            (55, .decline(.incorrectPIN)),
            (57, .decline(.notPermitted)),
            (60, .decline(.pinRequiredElsewhere)),
            (61, .decline(.amountLimitExceeded)),
            (65, .asksForPINAfterTap(otherwise: .countLimitExceeded)),
            (68, .noAnswer(charged: false)),
            (69, .noAnswer(charged: true)),
            (75, .decline(.pinTriesExceeded)),
            (80, .retriesOnce(.removedEarly)),
            (81, .retriesOnce(.collision)),
            (82, .stops(.readFailed)),
            (83, .refusesOffline),
            (84, .stops(.cardNotSupported)),
            (85, .stops(.anotherInterfaceNeeded)),
            (86, .retriesOnce(.seePhone)),
            (87, .nobodyTaps),
            (88, .background),
            (89, .takes(.seconds(20))),
            (91, .decline(.issuerUnavailable)),
            (94, .answerTwice),
            (95, .approveThenReverse),
        ]
    )

    /// Source: Stripe Terminal, "Testing": the last two digits.
    static let stripe = MagicAmounts(
        .stripe,
        modulus: 100,
        [
            (0, .approve),
            (1, .decline(.callIssuer)),
            (2, .asksForPIN(anyIsRight: false)),
            (3, .asksForPIN(anyIsRight: true)),
            (5, .decline(.generic)),
            (55, .decline(.incorrectPIN)),
            (60, .decline(.pinRequiredElsewhere)),
            (65, .decline(.countLimitExceeded)),
            (75, .decline(.pinTriesExceeded)),
        ]
    )

    /// Source: Adyen, point-of-sale testing: the last three digits.
    static let adyen = MagicAmounts(
        .adyen,
        modulus: 1_000,
        [
            (121, .cancelledByAcquirer),
            (122, .decline(.suspectedFraud)),
            (123, .decline(.generic)),
            (124, .decline(.insufficientFunds)),
            (125, .decline(.restrictedCard)),
            (126, .decline(.expiredCard)),
            (127, .decline(.invalidAmount)),
            (128, .decline(.invalidCard)),
            (129, .decline(.notPermitted)),
            (130, .acquirerError),
            (131, .decline(.generic)),
            (132, .decline(.generic)),
            (133, .decline(.callIssuer)),
            (134, .decline(.incorrectPIN)),
            (135, .decline(.pinTriesExceeded)),
            (136, .decline(.issuerUnavailable)),
            (143, .decline(.countLimitExceeded)),
            (144, .cancelledByAcquirer),
            (145, .decline(.suspectedFraud)),
            (146, .decline(.notPermitted)),
            (147, .decline(.invalidCard)),
            (148, .decline(.restrictedCard)),
            (149, .decline(.doNotHonor)),
            (150, .decline(.generic)),
            (151, .decline(.suspectedFraud)),
            (152, .decline(.notPermitted)),
            (153, .decline(.notPermitted)),
        ]
    )

    /// Source: Finix, "Testing", in person and general: the whole amount.
    static let finix = MagicAmounts(
        .finix,
        modulus: nil,
        [
            (1, .decline(.callIssuer)),
            (3, .decline(.restrictedCard)),
            (4, .decline(.pickUpCard)),
            (40, .decline(.restrictedCard)),
            (41, .decline(.pickUpCard)),
            (51, .decline(.generic)),
            (57, .decline(.notPermitted)),
            (102, .decline(.generic)),
            (103, .cancelledByAcquirer),
            (193, .decline(.insufficientFunds)),
            (194, .decline(.invalidCard)),
            (252, .decline(.invalidAmount)),
            (253, .decline(.invalidCard)),
            (260, .decline(.invalidTransaction)),
            (267, .decline(.expiredCard)),
            (269, .decline(.pickUpCard)),
            (499, .approve),
            (500, .approve),
            (6_299, .approve),
            (888_888, .approveThenDispute),
        ]
    )
}

extension MagicAmounts.Effect: CustomStringConvertible {
    /// One line for a table that a person reads.
    public var description: String {
        switch self {
        case .approve: "approved"
        case .decline(let refusal): "declined: \(refusal.rawValue)"
        case .asksForPIN(let any): "PIN asked in the read, \(any ? "any" : "1234") is right"
        case .asksForPINAfterTap(let refusal): "PIN asked after the tap, else \(refusal.rawValue)"
        case .approveHalf: "half approved"
        case .noAnswer(let charged): "no answer, \(charged ? "charged" : "not charged")"
        case .answerTwice: "answered twice"
        case .approveThenReverse: "approved, then reversed"
        case .acquirerError: "error at the acquirer"
        case .cancelledByAcquirer: "cancelled by the acquirer"
        case .approveThenDispute: "approved, then disputed"
        case .retriesOnce(let reason): "second tap needed: \(reason.rawValue)"
        case .stops(let code): "read stops: \(code)"
        case .refusesOffline: "card refuses"
        case .nobodyTaps: "nobody taps"
        case .background: "app leaves the screen with the card in the field"
        case .takes(let duration): "slow read, \(duration)"
        }
    }
}
