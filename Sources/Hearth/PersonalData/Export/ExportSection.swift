import Storage

/// A part of an export: the rows of a statement, as a list of JSON objects.
struct ExportSection: Sendable {
  let name: String
  let statement: SQL<MemberKey>
  /// The names of the statement's columns and how they are written.
  let columns: [(name: String, value: ExportedValue)]

  init(_ name: String, statement: SQL<MemberKey>, columns: KeyValuePairs<String, ExportedValue>) {
    self.name = name
    self.statement = statement
    self.columns = columns.map { (name: $0.key, value: $0.value) }
  }
}
