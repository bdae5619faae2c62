import PostgreSQL

/// The type of a statement's parameter, which PostgreSQL is given when a statement is prepared.
package enum ParameterType: String, Sendable {
  /// A number, a truth value, an enumeration or a key: they are all 64-bit integers.
  case integer = "bigint"
  case real = "double precision"
  case text = "text"
  case blob = "bytea"
  /// An array of keys.
  case keys = "bigint[]"

  init(_ type: SQLType) {
    switch type.storage {
    case .integer: self = .integer
    case .real: self = .real
    case .text: self = .text
    case .blob: self = .blob
    }
  }

  var serverType: ServerType {
    switch self {
    case .integer: .int8
    case .real: .float8
    case .text: .text
    case .blob: .bytea
    case .keys: .int8Array
    }
  }
}
