import GraphQL

/// How often mail can be had to an address for the asking, so that nobody's mailbox is filled by it.
struct MailLimits: Sendable {
  private let resets = RateLimiter(burst: 3, every: .seconds(600))
  private let verifications = RateLimiter(burst: 3, every: .seconds(600))
  /// By address, whoever invites.
  private let invitations = RateLimiter(burst: 3, every: .seconds(600))
  /// By who invites: each asks whether somebody has the address, too. All friends of somebody's go through at once.
  private let inviters = RateLimiter(burst: 500, every: .seconds(120))
  private let addedChildren = RateLimiter(burst: 10, every: .seconds(600))

  /// Whether a mail to reset a password may go there once more.
  func allowsReset(_ address: EmailAddress, at now: Int64) -> Bool { resets.take(address.key, at: now) == nil }

  /// For how long none to verify an address may go to this person, in milliseconds; nil where one may now.
  func verificationWait(_ person: GlobalID, at now: Int64) -> Int64? { verifications.take(person, at: now) }

  /// For how long none that invites may go there, in milliseconds; nil where one may now.
  func invitationWait(_ address: EmailAddress, at now: Int64) -> Int64? { invitations.take(address.key, at: now) }

  func takeInvitation(of inviter: GlobalID, at now: Int64) throws(FieldError) {
    if let wait = inviters.take(inviter, at: now) { throw .rateLimited(for: wait) }
  }

  /// Whether this person may be told once more that they have added a child.
  func allowsAddedChild(_ person: GlobalID, at now: Int64) -> Bool { addedChildren.take(person, at: now) == nil }
}
