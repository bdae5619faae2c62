import GraphQL

/// The arguments of a list of chores: `filter` and `orderBy`.
struct ChoreListQuery: Sendable {
  let order: ChoreOrder
  /// The requested status if it is a single one.
  let status: ChoreStatus?
  /// The requested statuses as a bit set; nil for any.
  let statuses: Int64?
  let isUnassigned: Bool?
  let awaitsApproval: Bool?
  let frequency: Frequency?
  let dueBefore: Int64?
  let dueAfter: Int64?
  let period: String?
  /// A part of the name, normalized like `NameKey`.
  let text: String?
  /// Whether the given text is longer than any name, or has more combining marks.
  let isBeyondNames: Bool
  /// Nil for any assignee. An id that is not valid becomes a key that no member has.
  let assignee: GlobalID?

  init(_ arguments: Arguments, cipher: IdentifierCipher) {
    order = Self.order(arguments)
    let filter = arguments["filter"]
    (status, statuses) = Self.statuses(filter)
    isUnassigned = filter?["unassigned"]?.boolean
    awaitsApproval = filter?["awaitsApproval"]?.boolean
    frequency = filter?["frequency"]?.string.flatMap(Frequency.init)
    dueBefore = filter?["dueBefore"]?.int
    dueAfter = filter?["dueAfter"]?.int
    // Not validated: a period that does not exist has no chores.
    period = filter?["period"]?.string
    let query = filter?["query"]?.string ?? ""
    let text = NameKey.shortened(NameKey.key(of: InputForm.normalizedLine(query)))
    self.text = text.isEmpty ? nil : text
    isBeyondNames = InputForm.isBeyondLine(query)
    assignee = filter?["assigneeId"]?.string.map { id in cipher.person(of: id) ?? GlobalID(rawValue: 0) }
  }

  /// The statuses that match both `status` and `statuses`.
  private static func statuses(_ filter: InputValue?) -> (single: ChoreStatus?, all: Int64?) {
    let single = filter?["status"]?.string
    let several = filter?["statuses"]?.list?.compactMap(\.string)
    if single == nil, several == nil { return (nil, nil) }
    let found = ChoreStatus.allCases.filter { status in
      (single ?? status.rawValue) == status.rawValue && several?.contains(status.rawValue) ?? true
    }
    return (found.count == 1 ? found[0] : nil, found.reduce(0) { $0 | 1 << $1.stored })
  }

  /// Whether the filter matches no chore, whatever the family has.
  var matchesNothing: Bool { statuses == 0 || isBeyondNames }

  /// The most selective condition that has an index.
  enum Narrowing {
    case approval, assignee, period, status
  }

  var narrowest: Narrowing? {
    if awaitsApproval == true { return .approval }
    if assignee != nil, status != nil { return .assignee }
    if period != nil { return .period }
    return status == nil ? nil : .status
  }

  var hasDueRange: Bool { dueBefore != nil || dueAfter != nil }

  static func order(_ arguments: Arguments) -> ChoreOrder {
    arguments["orderBy"]?.string.flatMap(ChoreOrder.init) ?? .priority
  }

  /// Whether the filter matches every chore.
  var isEverything: Bool {
    statuses == nil && isUnassigned == nil && awaitsApproval == nil && frequency == nil
      && dueBefore == nil && dueAfter == nil
      && period == nil && text == nil && assignee == nil && !isBeyondNames
  }
}

extension ChoreOrder {
  /// The values that a cursor contains.
  var list: ListOrder {
    switch self {
    case .priority: ListOrder(values: 2, kind: .chore)
    case .due: ListOrder(values: 1, kind: .chore)
    case .name: ListOrder(values: 0, hasText: true, kind: .chore)
    case .newest: ListOrder(values: 0, kind: .chore)
    }
  }
}
