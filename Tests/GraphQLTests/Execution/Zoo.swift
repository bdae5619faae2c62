import Foundation
import TestSupport

@testable import GraphQL

/// The schema of `Documents/zoo.graphql` with a resolver for every field. `Tests/Differential/graphql_core_execute.py`
/// has the same resolvers in Python; change both.
enum Zoo {
  static let limit = 40

  /// - Parameter directives: Definitions to add to the schema.
  static func executable(adding directives: String = "") throws -> ExecutableSchema {
    let sdl = String(decoding: try testDocument("zoo.graphql").bytes, as: UTF8.self) + directives
    return try ExecutableSchema(
      try SchemaBuilder.build(
        sdl,
        scalars: ["Code": ScalarCoercion(format: .text) { value, _, _ throws(ScalarError) in value }]
      ),
      objects: objects
    )
  }

  static let objects: [String: ObjectBinding] = [
    "Cat": cat, "Dog": dog, "Rock": rock, "Summary": summary, "Query": query, "Mutation": mutation, "Counter": counter,
  ]

  // MARK: Keys

  static let kinds = ["Cat", "Dog", "Rock"]

  static func key(_ kind: String, _ number: Int) -> Int64 {
    Int64(kinds.firstIndex(of: kind) ?? 0) << 40 | Int64(number + (1 << 32))
  }
  static func number(_ key: Int64) -> Int { Int(key & ((1 << 40) - 1)) - (1 << 32) }

  static func mixed(_ number: Int) -> Int64 { key(number.mod(2) == 0 ? "Cat" : "Dog", number.mod(limit)) }
  static func thing(_ number: Int) -> Int64? {
    number.mod(9) == 8 ? nil : key(kinds[number.mod(3)], number.mod(limit))
  }
  static func node(_ id: String) -> Int64? {
    let parts = id.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = ["cat": "Cat", "dog": "Dog", "rock": "Rock"][parts[0]],
      !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), parts[1].count < 6,
      let number = Int(parts[1])
    else { return nil }
    return key(kind, number)
  }

  /// The items that the arguments of a list select.
  static func count(_ arguments: Arguments, _ name: String = "first") -> Int {
    max(0, min(Int(arguments[name]?.int ?? 0), 5))
  }
  static func from(_ arguments: Arguments) -> Int { Int(arguments["from"]?.int ?? 0) }

  // MARK: Fields of every animal

  static func common(_ kind: String) -> [String: FieldBinding] {
    [
      "id": .column(0),
      "number": .column(1),
      "next": .reference(column: 2),
      "name": .leaf(needs: [1]) { view in
        let number = Int(view.int(1) ?? -1)
        if number.mod(6) == 5 { return .null }
        let name = (view.arguments["prefix"]?.string ?? "") + "\(kind.lowercased()) \(number)"
        return .string(view.arguments["shout"]?.boolean == true ? name.uppercased() : name)
      },
      "tag": .leaf(needs: [1]) { view in
        let number = Int(view.int(1) ?? -1)
        // An error of a resolver that does not have its data must not be seen.
        if zoo(view.context).isMissing("tag of \(number)") { throw Secret() }
        if number.mod(5) == 0 && number > 0 { throw FieldError("No tag for \(number).", code: .noTag) }
        return number.mod(7) == 3 ? .null : .string("tag \"\(number)\"\n")
      },
      "friends": .load(needs: []) { batch, context in
        zoo(context).count("\(kind).friends", batch.count)
        guard !zoo(context).isMissing("friends of \(kind) \(batch.keys), from \(from(batch.arguments))") else { return }
        for parent in 0..<batch.count {
          let number = number(batch.key(parent))
          if number.mod(10) == 9 {
            batch.fail(parent, with: FieldError("\(kind) \(number) has no friends.", code: .noFriends))
          } else if number.mod(13) == 6 {
            batch.add(parent, resolved: .null)
          } else {
            let keys = (0..<count(batch.arguments)).map { mixed(number + from(batch.arguments) + $0) }
            let items = keys.map { ResolvedValue.key($0) } + (number.mod(11) == 5 ? [.null] : [])
            batch.add(parent, resolved: .list(items))
          }
        }
      },
    ]
  }

  /// Fills the rows of the keys that exist, and counts the load.
  static func load(
    _ kind: String,
    _ fill: @escaping @Sendable (_ number: Int, _ row: Int, _ rows: RowLoading) -> Void
  ) -> @Sendable ([Int64], inout RowLoading, any ExecutionContext) throws -> Void {
    { keys, rows, context in
      zoo(context).count(kind, keys.count)
      guard !zoo(context).isMissing("\(kind) \(keys)") else { return }
      // In reverse, because the order must not matter.
      for key in keys.reversed() where (0..<limit).contains(number(key)) {
        let (row, isNew) = rows.row(of: key)
        guard isNew else { continue }
        rows.set(row, column: 0, text: "\(kind.lowercased()):\(number(key))")
        rows.set(row, column: 1, int: Int64(number(key)))
        fill(number(key), row, rows)
      }
    }
  }

  static func zoo(_ context: any ExecutionContext) -> ZooContext {
    guard let context = context as? ZooContext else { preconditionFailure("The tests' own context is given.") }
    return context
  }
}

extension Int {
  /// The modulo operation of Python, whose result is never negative.
  func mod(_ divisor: Int) -> Int { (self % divisor + divisor) % divisor }
}

extension ErrorCode {
  static let noTag = ErrorCode(rawValue: "NO_TAG")
  static let tooBusy = ErrorCode(rawValue: "OVERLOADED")
  static let noFriends = ErrorCode(rawValue: "NO_FRIENDS")
}

/// The context of a test's request. It counts loads and records logged errors.
final class ZooContext: ExecutionContext {
  let schema: Schema
  /// The number of objects in each load, by the name of the load.
  private(set) var loads: [String: [Int]] = [:]
  private(set) var reports: [String] = []
  private(set) var suspensions = 0
  var history: [Int64] = []
  /// The number of times that `isOverdue` is read before it returns true.
  var looksLeft = Int.max
  var startsOffLoop = false
  private(set) var isOffLoop = false
  /// The number of times that work was moved off the event loop.
  private(set) var moves = 0
  var hasRoomOffLoop = true
  /// False for a context whose resolvers find data only if they have asked for it in an earlier pass.
  var hasDataAtOnce = true
  private var asked: Set<String> = []
  private var answered: Set<String> = []
  private var isInPass = false
  private var isWaiting = false
  /// The number of times that data was fetched.
  private(set) var roundTrips = 0
  /// The round trip in which the snapshot is lost, if the execution can begin again.
  var lostRoundTrip: Int?
  private(set) var losses = 0

  init(_ schema: Schema) { self.schema = schema }

  var answersAtOnce: Bool { hasDataAtOnce || isOffLoop }

  /// Whether the data that a resolver asks for is missing.
  func isMissing(_ question: String) -> Bool {
    guard !answersAtOnce, !answered.contains(question) else { return false }
    precondition(isInPass, "Resolvers ask for data in passes.")
    asked.insert(question)
    isWaiting = true
    return true
  }

  func beginPass() { (isInPass, isWaiting) = (true, false) }

  func endPass() -> Bool {
    isInPass = false
    return isWaiting
  }

  func answers(canBeginAgain: Bool) async throws(FieldError) {
    // Also called without missing data, for contexts that check the caller with it.
    guard !asked.isEmpty else { return }
    await Task.yield()
    roundTrips += 1
    if canBeginAgain, roundTrips == lostRoundTrip {
      (answered, asked) = ([], [])
      losses += 1
      throw FieldError("The snapshot is lost.", code: .tooBusy)
    }
    answered.formUnion(asked)
    asked = []
  }

  func forgetAnswers() { answered = [] }

  var isOverdue: Bool {
    get {
      if !isOffLoop && looksLeft > 0 && looksLeft < .max { looksLeft -= 1 }
      return !isOffLoop && looksLeft == 0
    }
    set { if !newValue { looksLeft = .max } }
  }

  func checkTime() -> Bool { isOverdue }

  func runOffLoop(_ work: @escaping @Sendable () -> Void) async throws(FieldError) {
    guard hasRoomOffLoop else { throw FieldError("Too busy.", code: .tooBusy, retryAfter: 5) }
    moves += 1
    looksLeft = .max
    isOffLoop = true
    try? await TestThread { work() }.value
    isOffLoop = false
  }

  func count(_ load: String, _ objects: Int) { loads[load, default: []].append(objects) }

  func objectType(of key: Int64) -> TypeID? { schema.type(named: Zoo.kinds[Int(key >> 40)]) }
  func willSuspend() { suspensions += 1 }
  func report(_ error: any Error, at field: String) { reports.append("\(field): \(error)") }
}
