import GraphQL
import Storage

/// A side of somebody's life, of which they share what there is to know or do not.
enum Scope: String, StoredEnumeration {
  case work = "WORK", school = "SCHOOL", personal = "PERSONAL"

  var bit: Int64 { 1 << stored }
}

/// Several scopes, as they are stored: a bit each.
struct Scopes: Hashable, Sendable {
  let bits: Int64

  init(bits: Int64) { self.bits = bits }
  init(_ scopes: [Scope]) { bits = scopes.reduce(0) { $0 | $1.bit } }

  /// From an input; none where there is none.
  init(_ value: InputValue?) {
    self.init((value?.list ?? []).compactMap { $0.string.flatMap(Scope.init) })
  }

  var leaf: LeafValue {
    .list(Scope.allCases.filter { bits & $0.bit != 0 }.map { .string($0.rawValue) })
  }
}

/// As one number.
extension Scopes: StoredValue {
  static var sqlType: SQLType { Int64.sqlType }
  static var source: StoredSource { .formatted(.integer) }

  func bind(to statement: Statement, at number: Int) throws(DatabaseError) { try statement.bind(bits, at: number) }
}

extension FieldBinding {
  static func scopes<Columns: StoredColumns>(_ column: Columns) -> FieldBinding {
    scopes(column: column.rawValue)
  }

  /// The same for the rows of a table.
  static func scopes<Row: StoredRow>(_ property: KeyPath<Row, Scopes>) -> FieldBinding {
    scopes(column: Row.column(of: property))
  }

  private static func scopes(column: Int) -> FieldBinding {
    .leaf(needs: [column]) { view in Scopes(bits: view.int(column) ?? 0).leaf }
  }
}
