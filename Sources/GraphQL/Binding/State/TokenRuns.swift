import Bytes

/// One token of a run. The result of a field that returns objects is, for each parent, a run of tokens: an object,
/// null, an error, or a list token with the number of items, followed by a run for each item.
///
/// A token has 64 bits: the kind in the lowest two, the payload above.
struct RunToken {
  let bits: Int64

  enum Kind: Int64 {
    case object, null, error, list
  }

  init(bits: Int64) { self.bits = bits }
  private init(_ kind: Kind, payload: Int64) { bits = payload << 2 | kind.rawValue }

  static let null = RunToken(.null, payload: 0)
  static func error(_ index: Int) -> RunToken { RunToken(.error, payload: Int64(index)) }
  static func list(count: Int) -> RunToken { RunToken(.list, payload: Int64(count)) }
  /// An object, by its type in the schema and its row in that type's table.
  static func object(type: Int, row: Int) -> RunToken { RunToken(.object, payload: Int64(type) << 32 | Int64(row)) }

  var kind: Kind { Kind(rawValue: bits & 0b11) ?? .null }
  var payload: Int { Int(bits >> 2) }
  var type: Int { Int(bits >> 34) }
  var row: Int { Int((bits >> 2) & 0xFFFF_FFFF) }
}

/// The results of one call for all of its parents, on all levels.
struct TokenRuns: ~Copyable {
  /// The start of each parent's run in `tokens`, or one of the constants below, indexed by row of the parents' table.
  var starts = PlainBuffer<Int32>()
  var tokens = PlainBuffer<Int64>()
  /// The parents of the next call.
  var pending = PlainBuffer<Int32>()

  /// The parent has not been requested.
  static let unmet: Int32 = -2
  /// The call was made without a result for this parent: an empty list, or null.
  static let nothing: Int32 = -1

  /// Adds a parent to the next call, unless the call has been requested for it before.
  mutating func request(_ row: Int) {
    starts.extend(to: row &+ 1, with: Self.unmet)
    guard starts[row] == Self.unmet else { return }
    starts[row] = Self.nothing
    pending.append(Int32(truncatingIfNeeded: row))
  }

  mutating func clearPending() { pending.removeAll() }

  /// Discards the results of the pending parents, so that the call can be repeated. Their tokens remain, unused.
  mutating func resetPending() {
    for index in pending.indices { starts[Int(pending[index])] = Self.nothing }
  }

  /// Makes the pending parents those of no call. Their tokens remain, unused.
  mutating func withdrawPending() {
    for index in pending.indices { starts[Int(pending[index])] = Self.unmet }
    pending.removeAll()
  }

  /// Whether the call has a result for a parent.
  func has(_ row: Int) -> Bool { row < starts.count && starts[row] >= 0 }

  /// Sets the run of a parent to a single token.
  mutating func put(_ token: RunToken, for row: Int) {
    starts[row] = Int32(truncatingIfNeeded: tokens.count)
    tokens.append(token.bits)
  }

  /// Sets the run of every pending parent to the same single token.
  mutating func putForAllPending(_ token: RunToken) {
    let start = Int32(truncatingIfNeeded: tokens.count)
    tokens.append(token.bits)
    for index in pending.indices { starts[Int(pending[index])] = start }
  }

  /// Calls `body` for every object in a parent's run, and replaces the object with the returned token.
  @inline(__always)
  mutating func forEachObject(of row: Int, _ body: (RunToken) -> RunToken) {
    let start = Int(starts[row])
    if start >= 0 { forEachObject(from: start, runs: 1, body) }
  }

  /// Calls `body` for every object in successive runs, the first of which begins at a position among the tokens, and
  /// replaces the object with the returned token.
  @inline(__always)
  mutating func forEachObject(from start: Int, runs: Int, _ body: (RunToken) -> RunToken) {
    var (cursor, left) = (start, runs)
    while left > 0 {
      left &-= 1
      let token = RunToken(bits: tokens[cursor])
      if token.kind == .list { left &+= token.payload }
      if token.kind == .object {
        let replacement = body(token)
        if replacement.bits != token.bits { tokens[cursor] = replacement.bits }
      }
      cursor &+= 1
    }
  }

  mutating func removeAll() {
    starts.removeAll()
    tokens.removeAll()
    pending.removeAll()
  }

  /// For the response writer. Invalid after a token is added.
  var startBase: UnsafePointer<Int32> { UnsafePointer(starts.base) }
  var tokenBase: UnsafePointer<Int64> { UnsafePointer(tokens.base) }
}
