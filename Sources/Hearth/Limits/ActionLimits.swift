/// How often something may be done, counted in several ways. All are checked, in the order in which they are declared
/// here.
struct ActionLimits: Sendable {
  /// How many times as much as one network the site that it belongs to may do.
  static let siteFactor: Int64 = 4

  /// By one network. It comes first, so that one network can use up neither the budget of a subject nor that of all.
  var network: RateLimit?
  /// For one subject from one network.
  var pair: RateLimit?
  /// For one subject, such as an account or a mailbox.
  var subject: RateLimit?
  /// By all callers together. One network may do a small part of it: see `RateLimitTests`.
  var total: RateLimit?
}

/// What an action is counted by besides the network.
enum LimitedSubject: Hashable, Sendable {
  /// What was typed as the name of an account, whether or not there is one.
  case account(String)
  case person(GlobalID)
  case people(GlobalID, GlobalID)
  /// `EmailAddress.mailboxKey`.
  case mailbox(String)

  /// No name of an account is longer than 320 bytes: longer ones count as one.
  static func typed(_ name: String) -> LimitedSubject { .account(name.utf8.count <= 320 ? name : "") }
}
