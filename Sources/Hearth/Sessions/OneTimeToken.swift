import Crypto
import Foundation
import Storage

/// Secrets that let their holder do one thing, once: 256 random bits, of which only the hash is stored.
enum OneTimeToken {
  /// A raw value is in every database, so it never changes.
  enum Purpose: Int64, Sendable {
    case emailVerification = 1
    case passwordReset = 2
    case familyInvitation = 3
    case signInCode = 4

    /// In milliseconds.
    var lifetime: Int64 {
      switch self {
      case .emailVerification, .familyInvitation: 7 * 86_400_000
      case .passwordReset: 3_600_000
      case .signInCode: 600_000
      }
    }
  }

  /// Whom or what a token was given for.
  struct Grant: Sendable {
    let subject: GlobalID
    let family: GlobalID?
    /// The parent who had it made, where that is recorded.
    let issuer: GlobalID?
    let emailKey: String?
  }

  static let insert = SQL(
    """
    INSERT INTO one_time_token (hash, purpose, subject_id, family_id, email_key, expires_at, issued_by) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
    """
  )
  static let byHash = SQL(
    """
    SELECT subject_id, family_id, email_key, expires_at, issued_by FROM one_time_token \
    WHERE hash = ?1 AND purpose = ?2
    """
  )
  static let delete = SQL("DELETE FROM one_time_token WHERE hash = ?1")
  static let deleteOfSubject = SQL("DELETE FROM one_time_token WHERE subject_id = ?1 AND purpose = ?2")
  static let transfer = SQL("UPDATE one_time_token SET subject_id = ?2 WHERE hash = ?1")
  static let sweep = SQL(
    """
    DELETE FROM one_time_token WHERE hash IN \
    (SELECT hash FROM one_time_token WHERE expires_at < ?1 ORDER BY expires_at LIMIT ?2)
    """
  )

  /// Makes one.
  static func issue(
    _ purpose: Purpose,
    for subject: GlobalID,
    of family: GlobalID? = nil,
    issuer: GlobalID? = nil,
    emailKey: String? = nil,
    at now: Int64,
    _ transaction: WriteTransaction
  ) throws -> (text: String, expiresAt: Int64) {
    let text = Secrets.randomText()
    let expiresAt = now + purpose.lifetime
    let statement = try transaction.statement(insert)
    try bind(hash(of: text), to: statement)
    try statement.bind(2, purpose.rawValue)
    try statement.bind(3, subject.rawValue)
    try statement.bind(4, family?.rawValue)
    try statement.bind(5, emailKey)
    try statement.bind(6, expiresAt)
    try statement.bind(7, issuer?.rawValue)
    try statement.run()
    return (text, expiresAt)
  }

  /// What the token was given for; `Refused`, about the input `field`, where it is not good, or not good any more.
  static func grant(
    for text: String,
    _ purpose: Purpose,
    at now: Int64,
    field: String = "token",
    _ reader: Reader
  ) throws -> Grant {
    let statement = try reader.statement(byHash)
    try bind(hash(of: text), to: statement)
    try statement.bind(2, purpose.rawValue)
    let found = try statement.first { row in
      (
        grant: Grant(
          subject: GlobalID(rawValue: row.int64(0)),
          family: row.optionalInt64(1).map(GlobalID.init(rawValue:)),
          issuer: row.optionalInt64(4).map(GlobalID.init(rawValue:)),
          emailKey: row.optionalString(2)
        ),
        expiresAt: row.int64(3)
      )
    }
    guard let found else {
      throw Refused([field], .notFound, "The token was used already, was replaced, or never existed.")
    }
    guard found.expiresAt > now else {
      throw Refused([field], .expired, "This was good for a time only, and the time is over: ask for a new one.")
    }
    return found.grant
  }

  /// The same, and it was the last time.
  static func redeem(
    _ text: String,
    _ purpose: Purpose,
    at now: Int64,
    field: String = "token",
    _ transaction: WriteTransaction
  ) throws -> Grant {
    let grant = try grant(for: text, purpose, at: now, field: field, transaction.reader)
    let deleting = try transaction.statement(delete)
    try bind(hash(of: text), to: deleting)
    try deleting.run()
    return grant
  }

  /// Gives the token another subject.
  static func transfer(_ text: String, to subject: GlobalID, _ transaction: WriteTransaction) throws {
    let statement = try transaction.statement(transfer)
    try bind(hash(of: text), to: statement)
    try statement.bind(2, subject.rawValue)
    try statement.run()
  }

  static func revoke(_ purpose: Purpose, of subject: GlobalID, _ transaction: WriteTransaction) throws {
    try transaction.run(deleteOfSubject, subject.rawValue, purpose.rawValue)
  }

  /// No secret of ours is longer than this: what is, is not worth hashing.
  private static func hash(of text: String) -> [UInt8] {
    Array(SHA256.hash(data: Data(text.utf8.prefix(100))))
  }

  private static func bind(_ hash: [UInt8], to statement: Statement) throws {
    try hash.withUnsafeBytes { bytes in try statement.bind(1, blob: bytes) }
  }
}
