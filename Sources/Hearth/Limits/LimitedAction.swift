/// What costs a hash, a mail, a lookup by address or a row, and how often it may be done.
enum LimitedAction: Int, CaseIterable, Sendable {
  /// A password that is checked. Right ones do not count. By what was typed as the account.
  case wrongPassword
  /// A password that is hashed for somebody who has proved who they are. By person.
  case newPassword
  /// A provider's token that is checked. Good ones of known accounts do not count.
  case providerToken
  /// An attempt to register: each tells whether the address has an account.
  case registration
  /// A mail to verify an address, when registering or on request. By mailbox.
  case verificationMail
  /// A request for a mail to reset a password, whether or not the address has an account.
  case resetRequest
  /// A mail to reset a password: counted when it is composed, which is done for accounts only. By mailbox.
  case resetMail
  /// A mail that tells parents of a child that they have added. By person.
  case childMail
  /// An invitation by somebody whose address is verified. Each asks whether the address has an account. By inviter.
  case invitation
  /// An invitation by somebody whose address is not verified. By inviter.
  case unverifiedInvitation
  /// A mail that invites. By mailbox.
  case invitationMail
  /// Addresses and numbers by which people are looked up, in units of `unitOfAddresses`. By person.
  case addressLookup
  /// A request to a provider for somebody's friends. By person.
  case friendLookup
  /// A request to somebody, who is notified of it. By both people.
  case ask
  /// A WebSocket or event stream that is opened.
  case connection
  /// A document that asks about the schema and was not seen before. Writing the answers to it takes a loop up to 5 ms.
  case introspection

  /// Addresses and numbers are counted by so many.
  static let unitOfAddresses = 100

  var limits: ActionLimits {
    switch self {
    case .wrongPassword:
      // Somebody who guesses from many networks uses up the account's budget; networks from which the account has
      // signed in before are not held to it.
      ActionLimits(
        network: RateLimit(burst: 60, every: .seconds(5)),
        pair: RateLimit(burst: 10, every: .seconds(30)),
        subject: RateLimit(burst: 100, every: .seconds(30)),
        total: RateLimit(burst: 2_000, every: .milliseconds(50))
      )
    case .newPassword:
      ActionLimits(
        network: RateLimit(burst: 60, every: .seconds(5)),
        subject: RateLimit(burst: 10, every: .seconds(60)),
        total: RateLimit(burst: 1_000, every: .milliseconds(200))
      )
    case .providerToken:
      ActionLimits(
        network: RateLimit(burst: 60, every: .seconds(5)),
        total: RateLimit(burst: 2_000, every: .milliseconds(50))
      )
    case .registration:
      ActionLimits(
        network: RateLimit(burst: 20, every: .seconds(30)),
        total: RateLimit(burst: 1_000, every: .seconds(1))
      )
    case .verificationMail:
      ActionLimits(
        network: RateLimit(burst: 40, every: .seconds(30)),
        subject: RateLimit(burst: 4, every: .seconds(600)),
        total: RateLimit(burst: 2_000, every: .milliseconds(500))
      )
    case .resetRequest:
      // The network's burst is large: behind one address there may be a school, and a request alone sends nothing.
      ActionLimits(
        network: RateLimit(burst: 240, every: .seconds(15)),
        total: RateLimit(burst: 5_000, every: .milliseconds(500))
      )
    case .resetMail: ActionLimits(subject: RateLimit(burst: 3, every: .seconds(600)))
    case .childMail: ActionLimits(subject: RateLimit(burst: 10, every: .seconds(600)))
    case .invitation:
      ActionLimits(
        network: RateLimit(burst: 1_000, every: .seconds(30)),
        subject: RateLimit(burst: 500, every: .seconds(120)),
        total: RateLimit(burst: 20_000, every: .seconds(1))
      )
    case .unverifiedInvitation:
      ActionLimits(
        network: RateLimit(burst: 60, every: .seconds(60)),
        subject: RateLimit(burst: 20, every: .seconds(600)),
        total: RateLimit(burst: 2_000, every: .seconds(2))
      )
    case .invitationMail: ActionLimits(subject: RateLimit(burst: 3, every: .seconds(600)))
    case .addressLookup:
      // A telephone's whole address book goes through at once, twice; a day brings some 29,000 more.
      ActionLimits(
        network: RateLimit(burst: 4_000, every: .seconds(30)),
        subject: RateLimit(burst: 400, every: .seconds(300)),
        total: RateLimit(burst: 80_000, every: .seconds(1))
      )
    case .friendLookup:
      ActionLimits(
        network: RateLimit(burst: 100, every: .seconds(6)),
        subject: RateLimit(burst: 10, every: .seconds(60)),
        total: RateLimit(burst: 2_000, every: .milliseconds(200))
      )
    case .ask: ActionLimits(subject: RateLimit(burst: 20, every: .seconds(600)))
    case .connection:
      ActionLimits(
        network: RateLimit(burst: 1_000, every: .milliseconds(100)),
        total: RateLimit(burst: 100_000, every: .milliseconds(1))
      )
    case .introspection:
      ActionLimits(
        network: RateLimit(burst: 20, every: .seconds(5)),
        total: RateLimit(burst: 1_000, every: .milliseconds(100))
      )
    }
  }
}
