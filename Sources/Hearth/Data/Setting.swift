import Storage

/// A row of `setting`: a named value that belongs to the data.
struct Setting: Sendable {
  var name: String
  var value: [UInt8]

  static let table = Table<Setting>("setting", [Column("name", \.name), Column("value", \.value)])

  /// Inserts a row, or replaces its value.
  static let store = Setting.table.insert(then: "ON CONFLICT (name) DO UPDATE SET value = excluded.value")
}
