/// Actions that cost a hash, a mail, a lookup by address, a picture or the attention of others, with their rate limits.
enum LimitedAction: Int, CaseIterable, Sendable {
  /// A password is checked. Correct passwords do not count. The subject is the account name as typed.
  case wrongPassword
  /// A password is hashed for an authenticated person. The subject is the person.
  case newPassword
  /// A provider's token is checked. Valid tokens of known accounts do not count.
  case providerToken
  /// An attempt to register. Each reveals whether the address has an account.
  case registration
  /// A mail to verify an address, on registration or on request. The subject is the mailbox.
  case verificationMail
  /// A request for a password reset mail, whether or not the address has an account.
  case resetRequest
  /// A password reset mail. It is counted when it is composed, which happens for existing accounts only. The subject is
  /// the mailbox.
  case resetMail
  /// A mail to parents about a child that they have added. The subject is the person.
  case childMail
  /// A child is added, who is a person with limits of their own. The subject is the family.
  case addedChild
  /// A family's time zone changes, which moves the reminders of all its repeating chores in one write. The subject is
  /// the family.
  case timeZoneChange
  /// A username of another child is chosen, which reveals that it is taken. The subject is the family.
  case takenUsername
  /// An invitation by a person whose address is verified. Each looks up whether the address has an account. The subject
  /// is the inviter.
  case invitation
  /// An invitation by a person whose address is not verified. The subject is the inviter.
  case unverifiedInvitation
  /// A mail with an invitation. The subject is the mailbox.
  case invitationMail
  /// Addresses and phone numbers by which people are looked up, in units of `unitOfAddresses`. The subject is the
  /// person.
  case addressLookup
  /// A request to a provider for the caller's friends. The subject is the person.
  case friendLookup
  /// A request, an invitation or a role that notifies another person, a group's admins or a family's parents. The
  /// subject is the sender with that person, group or family.
  case ask
  /// The same, to anybody. The subject is the sender.
  case askAnyone
  /// A contact is shown a further scope, which is an event of their account. The subject is the person with that
  /// contact. A change to fewer scopes is not counted, so that a person can always withdraw them.
  case share
  /// The same, to any contact. The subject is the person.
  case shareWithAnyone
  /// A WebSocket or event stream is opened.
  case connection
  /// A document that was not seen before uses introspection. Writing its response takes an event loop up to 5 ms.
  case introspection
  /// A mutation with a new idempotency key. The subject is the family. Each renewal of a session with a key counts too,
  /// also a repeated one. Its subject is the member, so that other requests of the family do not prevent renewals.
  case idempotentRequest
  /// An export of a person's data. The subject is the person.
  case export
  /// A device is registered for notifications. The subject is the person.
  case deviceRegistration
  /// A picture is uploaded, which is decoded and stored, in units of `unitOfUploads`. The subject is the family.
  case upload
  /// A mutation of a member, in units of `unitOfMutations`, or a sign-in code. The subject is the family.
  case mutation

  /// The number of addresses and phone numbers that count as one lookup.
  static let unitOfAddresses = 100
  /// The bytes of a picture that count as one upload.
  static let unitOfUploads = 1 << 20
  /// The bytes of the texts in the arguments of a mutation that count as one. A mutation without texts counts as one,
  /// too: a row takes some hundred bytes.
  static let unitOfMutations = 1 << 10

  /// Whether the processes on one database count together. The others cost only the process that serves them, or the
  /// caller's own data.
  var isShared: Bool {
    switch self {
    case .wrongPassword, .newPassword, .providerToken, .registration, .verificationMail, .resetRequest, .resetMail,
      .childMail, .addedChild, .timeZoneChange, .takenUsername, .invitation, .unverifiedInvitation, .invitationMail,
      .addressLookup, .friendLookup, .ask, .askAnyone, .share, .shareWithAnyone, .export:
      true
    case .connection, .introspection, .idempotentRequest, .deviceRegistration, .upload, .mutation: false
    }
  }

  var limits: ActionLimits {
    switch self {
    case .wrongPassword:
      // An attacker with many networks uses up the account's budget. Networks from which the account has signed in
      // before are exempt from it.
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
      // The burst of a network is large, because a school may share one address, and a request alone sends nothing.
      ActionLimits(
        network: RateLimit(burst: 240, every: .seconds(15)),
        total: RateLimit(burst: 5_000, every: .milliseconds(500))
      )
    case .resetMail: ActionLimits(subject: RateLimit(burst: 3, every: .seconds(600)))
    case .childMail: ActionLimits(subject: RateLimit(burst: 10, every: .seconds(600)))
    case .addedChild: ActionLimits(subject: RateLimit(burst: 250, every: .seconds(1_200)))
    case .timeZoneChange: ActionLimits(subject: RateLimit(burst: 30, every: .seconds(600)))
    case .takenUsername:
      ActionLimits(
        network: RateLimit(burst: 100, every: .seconds(600)),
        subject: RateLimit(burst: 20, every: .seconds(4_320)),
        total: RateLimit(burst: 5_000, every: .seconds(1))
      )
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
      // The burst admits a phone's whole address book twice. Each day adds some 29,000 lookups.
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
    case .askAnyone: ActionLimits(subject: RateLimit(burst: 500, every: .seconds(120)))
    case .share: ActionLimits(subject: RateLimit(burst: 30, every: .seconds(600)))
    case .shareWithAnyone:
      // The burst admits a full address book at once. A network cannot do enough to use up other pairs of people.
      ActionLimits(
        network: RateLimit(burst: 10_000, every: .seconds(1)),
        subject: RateLimit(burst: 10_000, every: .seconds(30))
      )
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
    case .idempotentRequest:
      // Some 5,000 a day after the burst, which bounds the rows that a family's requests leave, and the sign-ins and
      // renewals of a member. What other requests without a session write has limits of its own.
      ActionLimits(subject: RateLimit(burst: 5_000, every: .seconds(17)))
    case .export:
      ActionLimits(
        network: RateLimit(burst: 20, every: .seconds(600)),
        subject: RateLimit(burst: 5, every: .seconds(3_600)),
        total: RateLimit(burst: 500, every: .seconds(10))
      )
    case .deviceRegistration:
      // Apps register at each start.
      ActionLimits(
        network: RateLimit(burst: 1_000, every: .seconds(3)),
        subject: RateLimit(burst: 60, every: .seconds(60)),
        total: RateLimit(burst: 20_000, every: .milliseconds(50))
      )
    case .upload:
      // The burst admits the photos of a holiday at once, some 2 GB. Each day adds 2,880 MiB.
      ActionLimits(
        network: RateLimit(burst: 4_000, every: .seconds(5)),
        subject: RateLimit(burst: 2_000, every: .seconds(30)),
        total: RateLimit(burst: 50_000, every: .milliseconds(100))
      )
    case .mutation:
      // Keeps a family from filling the disk with texts. The burst admits imports, some 500 MB. Each day adds 420 MiB.
      // There is no total, which some hostile networks could use up for all families.
      ActionLimits(
        network: RateLimit(burst: 4_000_000, every: .milliseconds(20)),
        subject: RateLimit(burst: 500_000, every: .milliseconds(200))
      )
    }
  }
}
