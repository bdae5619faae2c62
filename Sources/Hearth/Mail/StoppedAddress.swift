import Storage

/// A row of `stopped_address`: a mailbox to which no invitation is mailed any more, because its owner has used the link
/// for that in an invitation.
///
/// A row is kept without an end. It has no address, but a hash of it with a secret key of the data.
struct StoppedAddress: Sendable {
  var hash: [UInt8]
  var stoppedAt: Timestamp

  static let table = Table<StoppedAddress>(
    "stopped_address",
    [
      Column("hash", \.hash),
      Column("stopped_at", \.stoppedAt),
    ]
  )
  /// A link can be used again. The first time stays.
  static let record = StoppedAddress.table.insert(then: "ON CONFLICT (hash) DO NOTHING")
  static let ofHash = SQL<[UInt8]>("SELECT 1 FROM stopped_address WHERE hash = \(\.self)")
  static let delete = SQL<[UInt8]>("DELETE FROM stopped_address WHERE hash = \(\.self)")

  /// Allows invitations again when the address becomes the verified one of an account: an invitation to a family can be
  /// accepted only with a mail, so its owner could not be invited otherwise.
  ///
  /// - Parameter key: the one of the token.
  static func allow(_ address: String, key: [UInt8], in transaction: WriteTransaction) throws {
    try transaction.run(delete, StopToken(address: address, key: key).hash)
  }
}
