import GraphQL

/// What a list of chores is asked for: `filter` and `orderBy`.
struct ChoreListQuery: Sendable {
  let order: ChoreOrder
  let status: ChoreStatus?
  let awaitsApproval: Bool?
  let frequency: Frequency?
  let dueBefore: Int64?
  let dueAfter: Int64?
  let period: String?
  /// Within the name, as `NameKey` has it.
  let text: String?
  /// Nil where any assignee will do; an id that is nobody's is a key of nothing.
  let assignee: GlobalID?

  init(_ arguments: Arguments, _ cipher: IdentifierCipher) {
    order = Self.order(arguments)
    let filter = arguments["filter"]
    status = filter?["status"]?.string.flatMap(ChoreStatus.init)
    awaitsApproval = filter?["awaitsApproval"]?.boolean
    frequency = filter?["frequency"]?.string.flatMap(Frequency.init)
    dueBefore = filter?["dueBefore"]?.int
    dueAfter = filter?["dueAfter"]?.int
    // As it was written: a period that the calendar does not have has no chores.
    period = filter?["period"]?.string
    let text = NameKey.key(of: InputForm.normalized(filter?["query"]?.string ?? ""))
    self.text = text.isEmpty ? nil : text
    assignee = filter?["assigneeId"]?.string.map { id in
      cipher.key(of: id).map(Assignees.member) ?? GlobalID(rawValue: 0)
    }
  }

  /// What leaves the fewest of what is asked for, and has an index.
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

  /// Whether it leaves nothing out.
  var isEverything: Bool {
    status == nil && awaitsApproval == nil && frequency == nil && dueBefore == nil && dueAfter == nil && period == nil
      && text == nil
      && assignee == nil
  }
}

extension ChoreOrder {
  /// What a place in the list is made of.
  var list: ListOrder {
    switch self {
    case .priority: ListOrder(values: 2, kind: .chore)
    case .due: ListOrder(values: 1, kind: .chore)
    case .name: ListOrder(values: 0, hasText: true, kind: .chore)
    case .newest: ListOrder(values: 0, kind: .chore)
    }
  }
}
