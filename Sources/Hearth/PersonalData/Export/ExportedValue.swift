import Foundation
import Pictures
import Storage

/// How a column of an exported row is written as JSON.
enum ExportedValue: Sendable {
  case text, number, boolean
  /// A point in time.
  case moment
  /// The key of an object.
  case id
  /// The keys of members.
  case ids
  /// The type of the object that a key identifies.
  case type
  /// A list, with one entry per line.
  case lines
  case scopes
  /// An index in these names.
  case choice([String])
  /// Bits for these names.
  case bits([String])
  /// A picture: the path of its file in the archive.
  case picture

  static func choice<Value: StoredEnumeration>(of type: Value.Type) -> ExportedValue {
    .choice(Value.allCases.map(\.rawValue))
  }

  static func bits<Value: StoredEnumeration>(of type: Value.Type) -> ExportedValue {
    .bits(Value.allCases.map(\.rawValue))
  }

  /// - Parameter picture: returns the path of a picture in the archive, by its number.
  func json(_ row: Row, _ column: Int, cipher: IdentifierCipher, picture: (Int64) throws -> String?) rethrows -> Any {
    guard !row.isNull(column) else { return NSNull() }
    switch self {
    case .text: return row.string(column)
    case .number: return row.int64(column)
    case .boolean: return row.bool(column)
    case .moment: return Self.time(row.int64(column))
    case .id: return cipher.text(of: row.key(column))
    case .ids:
      var ids: [String] = []
      KeyList.forEach(in: row.blob(column)) { ids.append(cipher.text(of: $0)) }
      return ids
    case .type: return row.key(column).kind?.typeName ?? NSNull()
    case .lines: return row.string(column).split(separator: "\n").map(String.init)
    case .scopes:
      let bits = row.int64(column)
      return Scope.allCases.filter { bits & $0.bit != 0 }.map(\.rawValue)
    case .choice(let names):
      let index = Int(row.int64(column))
      return names.indices.contains(index) ? names[index] : NSNull()
    case .bits(let names):
      let bits = row.int64(column)
      return names.indices.filter { bits & 1 << Int64($0) != 0 }.map { names[$0] }
    case .picture: return try picture(row.int64(column)) ?? NSNull()
    }
  }

  static func time(_ milliseconds: Int64) -> String {
    Date(timeIntervalSince1970: Double(milliseconds) / 1000).ISO8601Format(.init(includingFractionalSeconds: true))
  }
}
