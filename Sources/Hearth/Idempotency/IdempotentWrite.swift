import Crypto
import Foundation
import Storage

/// A row of `idempotent_write`. A request with an idempotency key leaves one for each of its writes, committed in the
/// write's transaction, and one for its response.
struct IdempotentWrite: Sendable {
  /// The member, or zeros for a caller without a session, and a hash of the caller and the key: `key(_:of:named:)`.
  var key: [UInt8]
  /// `IdempotentRun.responseStep`, or the number of the write.
  var step: Int64
  /// Nil for a caller without a session.
  var person: GlobalID?
  /// SHA-256 of the request.
  var request: [UInt8]
  var createdAt: Timestamp
  /// The response, or what the write returned. Nil or empty if that cannot be restored.
  var outcome: [UInt8]?

  /// The name of the setting whose value is another one after each erasure. It does not exist before the first.
  static let lastErasure = "last-erasure"

  static let table = Table<IdempotentWrite>(
    "idempotent_write",
    [
      Column("key", \.key),
      Column("step", \.step),
      Column("person_id", \.person),
      Column("request", \.request),
      Column("created_at", \.createdAt),
      Column("outcome", \.outcome),
    ]
  )

  static let ofKey = SQL<[UInt8]>(
    "SELECT step, request, outcome FROM idempotent_write WHERE key = \(\.self) ORDER BY step"
  )
  /// Inserts the row of a response unless someone was erased since `lastErasure` was read, as the response can contain
  /// the name. A comparison of times would not suffice: those are when a request or an erasure began, by the clock of
  /// its process.
  static let insertResponse: SQL<(row: IdempotentWrite, lastErasure: [UInt8]?)> = IdempotentWrite.table.insert(
    \.row,
    where: "(SELECT value FROM setting WHERE name = '\(sql: lastErasure)') IS NOT DISTINCT FROM \(\.lastErasure)"
  )
  static let sweep = SQL<Sweeper.Portion>(
    """
    DELETE FROM idempotent_write WHERE (key, step) IN (SELECT key, step FROM idempotent_write \
    WHERE created_at < \(\.before) ORDER BY created_at LIMIT \(\.limit))
    """
  )

  /// The rows of a member are neighbours, so that an erasure finds them. An index would cost each mutation with a key
  /// more than a third of what its rows cost.
  ///
  /// - Parameter caller: a text that no other caller has.
  static func key(_ key: String, of member: GlobalID?, named caller: String) -> [UInt8] {
    firstBytes(of: member?.rawValue ?? 0) + SHA256.hash(data: Data("\(caller)\n\(key)".utf8)).prefix(24)
  }

  /// The keys of a member's rows, from `first` up to `end`.
  struct MemberKeys: Sendable {
    let first: [UInt8]
    let end: [UInt8]

    init(_ member: GlobalID) {
      first = IdempotentWrite.firstBytes(of: member.rawValue)
      end = IdempotentWrite.firstBytes(of: member.rawValue + 1)
    }
  }

  private static func firstBytes(of member: Int64) -> [UInt8] { withUnsafeBytes(of: member.bigEndian, Array.init) }

  /// How long rows are kept, in milliseconds. They are deleted by the sweeper, up to an hour later.
  static let retention: Int64 = Milliseconds.day
}
