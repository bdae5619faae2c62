import Crypto
import Foundation
import Storage

/// Issues, checks, redeems and revokes the secrets.
extension OneTimeToken {
  /// What a token permits.
  struct Grant: Sendable {
    let subject: GlobalID
    let family: GlobalID?
    /// The parent who created the token, if recorded.
    let issuer: GlobalID?
    let emailKey: String?
  }

  static let byHash = SQL<(hash: [UInt8], purpose: Purpose)>(
    """
    SELECT subject_id, family_id, email_key, expires_at, issued_by FROM one_time_token \
    WHERE hash = \(\.hash) AND purpose = \(\.purpose)
    """
  )
  static let delete = SQL<[UInt8]>("DELETE FROM one_time_token WHERE hash = \(\.self)")
  static let deleteOfSubject = SQL<(subject: GlobalID, purpose: Purpose)>(
    "DELETE FROM one_time_token WHERE subject_id = \(\.subject) AND purpose = \(\.purpose)"
  )
  static let transfer = SQL<(hash: [UInt8], subject: GlobalID)>(
    "UPDATE one_time_token SET subject_id = \(\.subject) WHERE hash = \(\.hash)"
  )
  static let extend = SQL<(subject: GlobalID, purpose: Purpose, expiresAt: Timestamp)>(
    """
    UPDATE one_time_token SET expires_at = \(greaterOf: "expires_at", "\(\.expiresAt)") \
    WHERE subject_id = \(\.subject) AND purpose = \(\.purpose)
    """
  )
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM one_time_token WHERE hash IN \
    (SELECT hash FROM one_time_token WHERE expires_at < \(\.before) ORDER BY expires_at LIMIT \(\.limit))
    """
  )

  /// Issues a token.
  static func issue(
    _ purpose: Purpose,
    for subject: GlobalID,
    of family: GlobalID? = nil,
    issuer: GlobalID? = nil,
    emailKey: String? = nil,
    in write: DatedWrite
  ) throws -> (text: String, expiresAt: Int64) {
    let text = Secrets.randomText()
    let expiresAt = write.now.milliseconds + purpose.lifetime
    let token = OneTimeToken(
      hash: hash(of: text),
      purpose: purpose,
      subject: subject,
      family: family,
      emailKey: emailKey,
      expiresAt: Timestamp(expiresAt),
      issuedBy: issuer
    )
    try write.transaction.run(table.insert, token)
    return (text, expiresAt)
  }

  /// Returns what a valid token permits. Throws `RejectedInput` about the input `token` if the token is invalid or
  /// expired.
  static func grant(
    for text: String,
    as purpose: Purpose,
    at now: Timestamp,
    from reader: Reader
  ) throws -> Grant {
    let found = try reader.first(of: byHash, (hash: hash(of: text), purpose: purpose)) { row in
      (
        grant: Grant(
          subject: row.key(0),
          family: row.optionalKey(1),
          issuer: row.optionalKey(4),
          emailKey: row.optionalString(2)
        ),
        expiresAt: Timestamp(row.int64(3))
      )
    }
    guard let found else { throw notFound("token") }
    guard found.expiresAt > now else {
      throw RejectedInput(["token"], code: .expired, message: "The token has expired: request a new one.")
    }
    return found.grant
  }

  /// The same, and invalidates the token.
  static func redeem(
    _ text: String,
    as purpose: Purpose,
    in write: DatedWrite
  ) throws -> Grant {
    let grant = try grant(for: text, as: purpose, at: write.now, from: write.reader)
    try write.transaction.run(delete, hash(of: text))
    return grant
  }

  /// The error that no token for this purpose has this text.
  static func notFound(_ field: String) -> RejectedInput {
    RejectedInput([field], code: .notFound, message: "The token was used already, was replaced, or never existed.")
  }

  /// Changes the subject of the token.
  static func transfer(_ text: String, to subject: GlobalID, in transaction: WriteTransaction) throws {
    try transaction.run(transfer, (hash: hash(of: text), subject: subject))
  }

  /// Makes the tokens of a subject valid until `moment` at least.
  static func extend(
    _ purpose: Purpose,
    of subject: GlobalID,
    until moment: Timestamp,
    in transaction: WriteTransaction
  ) throws {
    try transaction.run(extend, (subject: subject, purpose: purpose, expiresAt: moment))
  }

  static func revoke(_ purpose: Purpose, of subject: GlobalID, in transaction: WriteTransaction) throws {
    try transaction.run(deleteOfSubject, (subject: subject, purpose: purpose))
  }

  /// All secrets are shorter than this limit, which bounds the cost of hashing.
  private static func hash(of text: String) -> [UInt8] {
    Array(SHA256.hash(data: Data(text.utf8.prefix(100))))
  }
}
