import Storage

/// Whether an account has verified its address.
enum VerifiedAddress {
  static let isVerified = SQL<GlobalID>("SELECT email_verified FROM account WHERE id = \(\.self)")

  static func isVerified(_ person: GlobalID, from reader: Reader) throws -> Bool {
    try reader.first(of: isVerified, person) { row in row.bool(0) } ?? false
  }
}
