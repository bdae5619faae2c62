/// The rate limits of an action, each counted by another key. All are checked, in the order of their declaration here.
struct ActionLimits: Sendable {
  /// The limits of a site are this many times those of one network.
  static let siteFactor: Int64 = 4

  /// Per network. It is checked first, so that one network cannot use up the budget of a subject or the total.
  var network: RateLimit?
  /// Per subject and network.
  var pair: RateLimit?
  /// Per subject, such as an account or a mailbox.
  var subject: RateLimit?
  /// For all callers together. One network can use only a small part of it: see `RateLimitTests`.
  var total: RateLimit?

  /// Nil if the action has no such budget.
  func limit(of kind: BudgetKind) -> RateLimit? {
    switch kind {
    case .network: network
    case .site: network?.scaled(by: Self.siteFactor)
    case .pair: pair
    case .subject: subject
    case .total: total
    }
  }
}

/// What an action is counted by in addition to the network.
enum LimitedSubject: Hashable, Sendable {
  /// The account name as typed, whether or not the account exists.
  case account(String)
  case person(GlobalID)
  case family(GlobalID)
  case people(GlobalID, GlobalID)
  /// `EmailAddress.mailboxKey`.
  case mailbox(String)

  /// Account names have at most 320 bytes. All longer ones share one budget.
  static func typed(_ name: String) -> LimitedSubject { .account(name.utf8.count <= 320 ? name : "") }
}
