/// How often mail can be had to an address for the asking, so that nobody's mailbox is filled by it.
struct MailLimits: Sendable {
  private let resets = RateLimiter(burst: 3, every: .seconds(600))
  private let verifications = RateLimiter(burst: 3, every: .seconds(600))

  /// Whether a mail to reset a password may go there once more.
  func allowsReset(_ address: EmailAddress, at now: Int64) -> Bool { resets.take(address.key, at: now) == nil }

  /// For how long none to verify an address may go to this person, in milliseconds; nil where one may now.
  func verificationWait(_ person: GlobalID, at now: Int64) -> Int64? { verifications.take(person, at: now) }
}
