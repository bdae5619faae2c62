import Storage

/// The key that signs access tokens, and its predecessors. A predecessor verifies tokens until the last one that it has
/// signed expires. It is kept after that, so that a client that was away learns that its token has expired: it then
/// renews the token, whereas an unknown signature would sign it out.
struct SigningKeys: Sendable {
  struct Retired: Sendable {
    let key: [UInt8]
    /// When its tokens expire at the latest, or when it was revoked. In milliseconds.
    var lastExpiry: Int64

    /// Whether a key that has just been replaced was revoked too. The clock of the process that has revoked it can be
    /// ahead, by less than the overlap.
    func isRevoked(at now: Int64) -> Bool { lastExpiry <= now + SigningKeys.overlap }
  }

  /// 32 bytes.
  var current: [UInt8]
  var retired: [Retired] = []

  static let name = "token-key"
  /// The number of predecessors that are kept, which bounds the cost of verifying a token.
  static let maximumRetired = 16
  /// Tokens can be issued with the old key while the new one is being stored.
  private static let overlap: Int64 = Milliseconds.minute

  static let allRetired = SQL<Void>(
    "SELECT name, value FROM setting WHERE name > 'token-key-retired-' AND name < 'token-key-retired.' ORDER BY name"
  )
  static let replace = SQL<(name: String, value: [UInt8])>(
    "UPDATE setting SET value = \(\.value) WHERE name = \(\.name)"
  )
  static let delete = SQL<String>("DELETE FROM setting WHERE name = \(\.self)")

  /// Too many predecessors are still valid.
  struct TooManyRotations: Error {}

  /// Reads the keys that are stored.
  init(_ reader: Reader) throws {
    let current = try reader.first(of: Secrets.read, Self.name) { row in Array(row.blob(0)) }
    guard let current else { throw Secrets.Unusable() }
    self.init(current: current, retired: try Self.retired(reader))
  }

  init(current: [UInt8], retired: [Retired] = []) {
    self.current = current
    self.retired = retired
  }

  static func retired(_ reader: Reader) throws -> [Retired] { try rows(reader).map(\.retired) }

  /// Stores a new key. Its predecessor stays valid for `lifetime` milliseconds, or with `immediately` not at all.
  static func rotate(lifetime: Int64, immediately: Bool, in write: DatedWrite) throws -> SigningKeys {
    let now = write.now.milliseconds
    var rows = try rows(write.reader)
    if rows.count >= maximumRetired, let oldest = rows.first {
      guard immediately || oldest.retired.lastExpiry < now else { throw TooManyRotations() }
      try write.transaction.run(delete, oldest.name)
      rows.removeFirst()
    }
    if immediately {
      for index in rows.indices where rows[index].retired.lastExpiry > now {
        rows[index].retired.lastExpiry = now
        try write.transaction.run(replace, (name: rows[index].name, value: rows[index].retired.stored))
      }
    }
    let old = try write.reader.first(of: Secrets.read, name) { row in Array(row.blob(0)) }
    guard let old else { throw Secrets.Unusable() }
    let retired = Retired(key: old, lastExpiry: immediately ? now : now + lifetime + overlap)
    let row = Setting(name: "token-key-retired-\(Secrets.randomText())", value: retired.stored)
    try write.transaction.run(Setting.table.insert, row)
    let fresh = Secrets.random(32)
    try write.transaction.run(replace, (name: name, value: fresh))
    return SigningKeys(current: fresh, retired: rows.map(\.retired) + [retired])
  }

  /// The predecessors, with the one whose tokens expire first at the beginning.
  private static func rows(_ reader: Reader) throws -> [(name: String, retired: Retired)] {
    try reader.all(of: allRetired, ()) { row in (name: row.string(0), retired: Retired(stored: Array(row.blob(1)))) }
      .sorted { $0.retired.lastExpiry < $1.retired.lastExpiry }
  }
}

extension SigningKeys.Retired {
  /// The expiry in eight bytes, the most significant first, and the key.
  fileprivate var stored: [UInt8] { withUnsafeBytes(of: lastExpiry.bigEndian) { Array($0) } + key }

  fileprivate init(stored: [UInt8]) {
    lastExpiry = stored.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
    key = Array(stored.dropFirst(8))
  }
}
