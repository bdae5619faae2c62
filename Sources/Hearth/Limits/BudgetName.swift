/// What a budget of an action is for.
enum BudgetName: Hashable, Sendable {
  case network(ClientNetwork)
  case site(ClientNetwork)
  case pair(ClientNetwork, LimitedSubject)
  case subject(LimitedSubject)
  case total

  /// Calls `body` with the budgets that a caller's actions consume, in this order, until it returns false. Each
  /// mutation does, so there is no array.
  static func forEach(of caller: RateLimits.Caller, _ body: (BudgetName) -> Bool) {
    if let network = caller.network {
      guard body(.network(network)) else { return }
      if let site = network.site { guard body(.site(site)) else { return } }
      if let subject = caller.subject { guard body(.pair(network, subject)) else { return } }
    }
    // Known callers are admitted while others, from any network, have used up the subject's budget or the total.
    guard !caller.isKnown else { return }
    if let subject = caller.subject { guard body(.subject(subject)) else { return } }
    _ = body(.total)
  }

  var kind: BudgetKind {
    switch self {
    case .network: .network
    case .site: .site
    case .pair: .pair
    case .subject: .subject
    case .total: .total
    }
  }

  /// A text that no other name has.
  var text: String {
    switch self {
    case .network(let network): "network \(network.key)"
    case .site(let site): "site \(site.key)"
    case .pair(let network, let subject): "pair \(network.key) \(subject.text)"
    case .subject(let subject): "subject \(subject.text)"
    case .total: "total"
    }
  }
}

extension LimitedSubject {
  /// A text that no other subject has.
  var text: String {
    switch self {
    case .account(let name): "account \(name)"
    case .person(let person): "person \(person.rawValue)"
    case .family(let family): "family \(family.rawValue)"
    case .people(let one, let other): "people \(one.rawValue) \(other.rawValue)"
    case .mailbox(let mailbox): "mailbox \(mailbox)"
    }
  }
}
