/// What a field that gives objects has given for one parent is a run of tokens: an object, null, an error, or a list
/// that says how many items follow (each of them again a run).
///
/// A token is 64 bits: the kind in the low two, what it names above.
struct RunToken {
  let bits: Int64

  enum Kind: Int64 {
    case object, null, error, list
  }

  init(bits: Int64) { self.bits = bits }
  private init(_ kind: Kind, _ payload: Int64) { bits = payload << 2 | kind.rawValue }

  static let null = RunToken(.null, 0)
  static func error(_ index: Int) -> RunToken { RunToken(.error, Int64(index)) }
  static func list(count: Int) -> RunToken { RunToken(.list, Int64(count)) }
  /// A type of the schema and a row of that type's table.
  static func object(type: Int, row: Int) -> RunToken { RunToken(.object, Int64(type) << 32 | Int64(row)) }

  var kind: Kind { Kind(rawValue: bits & 0b11) ?? .null }
  var payload: Int { Int(bits >> 2) }
  var type: Int { Int(bits >> 34) }
  var row: Int { Int((bits >> 2) & 0xFFFF_FFFF) }
}

/// The tokens of one call for all the parents that it has met, on whichever level.
struct TokenRuns: ~Copyable {
  /// By row of the parents' table: where the parent's run begins, or one of the numbers below.
  var starts = PlainBuffer<Int32>()
  var tokens = PlainBuffer<Int64>()
  /// The parents for which the call is to be made next.
  var pending = PlainBuffer<Int32>()

  /// The parent has not been met.
  static let unmet: Int32 = -2
  /// The call was made, but gave nothing: an empty list, or null.
  static let nothing: Int32 = -1

  /// Makes the parent one of those the call is made for next, unless it was made for it before.
  mutating func request(_ row: Int) {
    starts.extend(to: row &+ 1, with: Self.unmet)
    guard starts[row] == Self.unmet else { return }
    starts[row] = Self.nothing
    pending.append(Int32(truncatingIfNeeded: row))
  }

  mutating func clearPending() { pending.removeAll() }

  /// Forgets what the parents that are pending were given, so that the call can be made again. The tokens stay, unused.
  mutating func resetPending() {
    for index in pending.indices { starts[Int(pending[index])] = Self.nothing }
  }

  /// Gives a parent a run of this one token.
  mutating func put(_ token: RunToken, for row: Int) {
    starts[row] = Int32(truncatingIfNeeded: tokens.count)
    tokens.append(token.bits)
  }

  /// Gives every parent that is pending the same run of this one token.
  mutating func putForAllPending(_ token: RunToken) {
    let start = Int32(truncatingIfNeeded: tokens.count)
    tokens.append(token.bits)
    for index in pending.indices { starts[Int(pending[index])] = start }
  }

  /// Goes through the objects of a parent's run, each of which `body` may replace.
  @inline(__always)
  mutating func forEachObject(of row: Int, _ body: (RunToken) -> RunToken) {
    var cursor = Int(starts[row])
    guard cursor >= 0 else { return }
    var left = 1
    while left > 0 {
      left &-= 1
      let token = RunToken(bits: tokens[cursor])
      if token.kind == .list { left &+= token.payload }
      if token.kind == .object { tokens[cursor] = body(token).bits }
      cursor &+= 1
    }
  }

  mutating func removeAll() {
    starts.removeAll()
    tokens.removeAll()
    pending.removeAll()
  }

  /// For the writer: good until a token is added.
  var startBase: UnsafePointer<Int32> { UnsafePointer(starts.base) }
  var tokenBase: UnsafePointer<Int64> { UnsafePointer(tokens.base) }
}
