import Storage

extension Kind: NumberedCase {
  /// The condition that `key`, a column or a parameter, is a key of this kind.
  func isKind<Parameters>(of key: SQLFragment<Parameters>) -> SQLFragment<Parameters> {
    "\(key) & \(sql: String(GlobalID.kindMask)) = \(self)"
  }
}
