import Storage

extension Kind: NumberedCase {
  /// The SQL condition that `key`, a column or a parameter, has this kind.
  func isKind<Parameters>(of key: SQLFragment<Parameters>) -> SQLFragment<Parameters> {
    "\(key) & \(sql: String(GlobalID.kindMask)) = \(self)"
  }
}
