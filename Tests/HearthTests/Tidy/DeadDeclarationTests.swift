import Testing

/// The compiler warns of unused local variables and private functions are easily seen. This finds the rest.
@Suite("Every declaration is used")
struct DeadDeclarationTests {
  /// Names that no code of ours uses, each with what uses it.
  static let usedOtherwise = [
    "EngineBenchmark": "The entry point of a program.",
    "StorageBenchmark": "The entry point of a program.",
    "WebSocketEcho": "The entry point of a program.",
    "cover": "A case that is made from its raw value: `PictureSize.Fit`.",
    "tiny": "A case that is made from its raw value, as are those after it: `PictureSize`.",
    "medium": "As `tiny`.",
    "customMirror": "Called by the standard library's `dump` and `String(reflecting:)`.",
    "isIsolatingCurrentContext": "Called by the Swift runtime: a requirement of `SerialExecutor`.",
    "makeIterator": "A requirement of `Sequence`.",
    "callAsFunction": "Called without its name.",
    "allKeys": "A requirement of `KeyedDecodingContainerProtocol`.",
    "nestedUnkeyedContainer": "A requirement of `UnkeyedDecodingContainer`.",
    "superDecoder": "A requirement of `UnkeyedDecodingContainer`.",
    "userInfo": "A requirement of `Decoder`.",
    "urlSession": "A requirement of `URLSessionDataDelegate`.",
    "errorDescription": "A requirement of `LocalizedError`.",
    "orNull": "For apps: a value of a form as an input.",
    "orAbsent": "For apps: a value of a form as an input.",
    "queryPlan": "Lets a test read a statement's query plan.",
    "targetText": "A request's target, for servers that route by it.",
  ]

  @Test func `no declaration is named by itself alone`() throws {
    let files = try ["Sources", "Benchmarks"].flatMap { try Checkout.swiftFiles(in: $0) }
    #expect(files.count > 600)
    // The libraries' public declarations are for others: those are the examples, and the tests that use nothing else.
    // `PostgreSQL` has entry points that only its tests call.
    let users = try ["Examples", "Tests/GraphQLServerTests", "Tests/PostgreSQLTests"].flatMap {
      try Checkout.swiftFiles(in: $0)
    }
    let dead = Self.unusedDeclarations(in: files, usedBy: users)
    #expect(dead.filter { Self.usedOtherwise[$0.name] == nil }.map(\.location) == [])
    let exceptions = Set(Self.usedOtherwise.keys)
    #expect(exceptions.subtracting(dead.map(\.name)) == [], "They are used, or exist no more: remove the entries.")
  }

  /// By text: a declaration counts as used if its name occurs anywhere else.
  static func unusedDeclarations(
    in files: [Checkout.File],
    usedBy users: [Checkout.File] = []
  ) -> [(name: String, location: String)] {
    var counts: [String: Int] = [:]
    var declared: [String: [String]] = [:]
    for file in users { counts.merge(SwiftDeclarations(file).counts, uniquingKeysWith: +) }
    for file in files {
      let found = SwiftDeclarations(file)
      counts.merge(found.counts, uniquingKeysWith: +)
      for declaration in found.declarations where !declaration.isUsedUnnamed {
        declared[declaration.name, default: []].append("\(file.path):\(declaration.line) \(declaration.name)")
      }
    }
    return declared.filter { counts[$0.key, default: 0] <= $0.value.count }
      .flatMap { name, locations in locations.map { (name: name, location: $0) } }
      .sorted { $0.location < $1.location }
  }

  @Test func `a dead declaration is found`() {
    let text = """
      package struct Used {
        let read: Int
        private let unread: Int  // unread, unread
        static func called() { let unread2 = "\\(Used.called().read)" }
        func dead(label: Int) {}
      }
      enum Kind {
        case one, two(Int)
        indirect case three
      }
      func f(_ kind: Kind) { if case .one = kind { f(.three) } }
      """
    let found = Self.unusedDeclarations(in: [Checkout.File(path: "a.swift", text: text)])
    #expect(found.map(\.location) == ["a.swift:3 unread", "a.swift:5 dead", "a.swift:8 two"])
  }
}
