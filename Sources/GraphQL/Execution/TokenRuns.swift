/// What a field that gives objects has given for one parent, as a run of tokens: an object, null, an error, or a list
/// that says how many items follow (each of them again a run).
///
/// A token is 64 bits: the kind in the low two, what it names above.
package struct RunToken {
  let bits: Int64

  enum Kind: Int64 {
    case object, null, error, list
  }

  init(bits: Int64) { self.bits = bits }
  private init(_ kind: Kind, _ payload: Int64) { bits = payload << 2 | kind.rawValue }

  static let null = RunToken(.null, 0)
  static func error(_ place: Int) -> RunToken { RunToken(.error, Int64(place)) }
  static func list(count: Int) -> RunToken { RunToken(.list, Int64(count)) }
  /// Before its batch is formed an object is a type and a row of that type's table; afterwards a planned selection set
  /// and a position in that set's batch.
  static func object(_ type: Int, _ row: Int) -> RunToken { RunToken(.object, Int64(type) << 32 | Int64(row)) }

  var kind: Kind { Kind(rawValue: bits & 0b11) ?? .null }
  var payload: Int { Int(bits >> 2) }
  var type: Int { Int(bits >> 34) }
  var row: Int { Int((bits >> 2) & 0xFFFF_FFFF) }
}

/// The tokens of one field for a whole batch of parents.
struct TokenRuns {
  /// Where each parent's run begins.
  var starts: [Int32] = []
  var tokens: [Int64] = []
  /// Tokens that are still keys of objects to be loaded: their places.
  var unresolved: [(place: Int, key: Int64)] = []

  mutating func removeAll() {
    starts.removeAll(keepingCapacity: true)
    tokens.removeAll(keepingCapacity: true)
    unresolved.removeAll(keepingCapacity: true)
  }
}
