import Storage

/// Whether the holder of an account has shown that its address is theirs.
enum VerifiedAddress {
  static let isVerified = SQL<GlobalID>("SELECT email_verified FROM account WHERE id = \(\.self)")

  static func isVerified(_ person: GlobalID, _ reader: Reader) throws -> Bool {
    try reader.first(of: isVerified, person) { row in row.bool(0) } ?? false
  }
}
