import GraphQL
import Storage

/// An area of a person's life whose contact details they can share.
enum Scope: String, StoredEnumeration {
  case work = "WORK", school = "SCHOOL", personal = "PERSONAL"

  var bit: Int64 { 1 << stored }
}

/// A set of scopes, stored as bits.
struct Scopes: Hashable, Sendable {
  let bits: Int64

  init(bits: Int64) { self.bits = bits }
  init(_ scopes: [Scope]) { bits = scopes.reduce(0) { $0 | $1.bit } }

  /// Parses the scopes of an input. Absent or `null` means none.
  init(_ value: InputValue?) {
    self.init((value?.list ?? []).compactMap { $0.string.flatMap(Scope.init) })
  }

  var leaf: LeafValue {
    .list(Scope.allCases.filter { bits & $0.bit != 0 }.map { .string($0.rawValue) })
  }
}

/// Stored as one integer.
extension Scopes: StoredValue {
  static var sqlType: SQLType { Int64.sqlType }
  static var source: StoredSource { .formatted(.integer) }

  func bind(to statement: Statement, at number: Int) throws(DatabaseError) { try statement.bind(bits, at: number) }
}

extension FieldBinding {
  static func scopes<Columns: StoredColumns>(_ column: Columns) -> FieldBinding {
    scopes(column: column.rawValue)
  }

  /// The same for stored rows.
  static func scopes<Row: StoredRow>(_ property: KeyPath<Row, Scopes>) -> FieldBinding {
    scopes(column: Row.column(of: property))
  }

  private static func scopes(column: Int) -> FieldBinding {
    .leaf(needs: [column]) { view in Scopes(bits: view.int(column) ?? 0).leaf }
  }
}
