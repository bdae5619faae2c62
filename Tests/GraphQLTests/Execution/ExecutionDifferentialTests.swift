import Foundation
import JSON
import Testing

@testable import GraphQL

/// Against graphql-core, the Python port of graphql-js 16: whole answers to generated requests, the order of keys
/// included. Skipped where Python has no graphql-core; `Scripts/test` installs it.
///
/// Where the two differ on purpose, `Told.isAlike` says how and why.
@Suite("Execution against graphql-core")
struct ExecutionDifferentialTests {
  struct Theirs: Decodable {
    struct Problem: Decodable {
      let message: String
      let locations: [[Int]]
      let path: [Step]?
    }
    let invalid: Bool?
    let why: String?
    let data: String?
    let errors: [Problem]?
  }

  enum Step: Decodable, Equatable {
    case key(String), index(Int)
    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      self = try (try? value.decode(Int.self)).map(Step.index) ?? .key(value.decode(String.self))
    }
  }

  /// An error as one of the two tells it.
  struct Told: Equatable, CustomStringConvertible {
    let message: String
    let locations: [[Int]]
    let path: [Step]?
    var place: String { "\(locations) \(path ?? [])" }
    var description: String { "\(message) at \(locations), \(path ?? [])" }

    init(_ theirs: Theirs.Problem) {
      message = Self.plain(theirs.message)
      locations = theirs.locations
      path = theirs.path
    }

    /// A message of graphql-core as graphql-js has it.
    static func plain(_ message: String) -> String {
      message.replacingOccurrences(of: "'", with: "\"").replacingOccurrences(
        of: "not to be None",
        with: "not to be null"
      )
      .replacingOccurrences(of: "to be a mapping", with: "to be an object")
    }

    init(_ ours: JSONValue) {
      message = (ours["message"]?.string ?? "").replacingOccurrences(of: "'", with: "\"")
      locations =
        ours["locations"]?.elements?.map { location in
          [Int(location["line"]?.int64 ?? 0), Int(location["column"]?.int64 ?? 0)]
        } ?? []
      path = ours["path"]?.elements?.map { step in
        step.int64.map { .index(Int($0)) } ?? .key(step.string ?? "")
      }
    }

    func isAlike(_ theirs: Told) -> Bool {
      guard locations == theirs.locations, path == theirs.path else { return false }
      if message == theirs.message { return true }
      // What a resolver gave is not told to clients.
      if message.hasSuffix("cannot represent the value that was found.") {
        return theirs.message.contains("cannot represent")
      }
      if message == "Something went wrong on our side." { return theirs.message == "a secret" }
      // We say more than that the value of an argument is invalid.
      return theirs.message.hasPrefix("Argument") && theirs.message.contains("has invalid value")
        && message.hasPrefix(theirs.message)
    }
  }

  @Test(.enabled(if: ParseDifferentialTests.isAvailable, "There is no graphql-core 3.2 here."))
  func `agrees with graphql-core`() async throws {
    let server = try ZooServer()
    var generator = RequestGenerator(server.executable.schema, seed: 2025)
    let requests = (0..<3000).map { _ in generator.request() }
    let theirs = try Self.answers(to: requests)
    var (invalid, executed, refused, withErrors, withNulledData) = (0, 0, 0, 0, 0)
    for (request, theirs) in zip(requests, theirs) {
      if theirs.invalid == true {
        invalid += 1
        continue
      }
      let answer = await server.answer(request)
      let ours = try #require(try? JSONDocument(Array(answer.json.utf8)), "\(answer.json)").root
      // graphql-core sorts errors, we tell them in the order of the document: each has a path of its own.
      let told = (ours["errors"]?.elements?.map(Told.init) ?? []).sorted { $0.place < $1.place }
      let expected = (theirs.errors?.map(Told.init) ?? []).sorted { $0.place < $1.place }
      let data = ours["data"].map { String(decoding: $0.rawBytes, as: UTF8.self) }
      if answer.isExecuted { executed += 1 } else { refused += 1 }
      if answer.isExecuted && !told.isEmpty { withErrors += 1 }
      if data == "null" { withNulledData += 1 }
      let isAlike =
        data == theirs.data && told.count == expected.count && zip(told, expected).allSatisfy { $0.isAlike($1) }
      #expect(
        isAlike,
        """
        \(request.document)
        \(request.variables ?? "no variables")
        ours: \(answer.json)
        theirs: \(theirs.data ?? "no data") \(expected)
        """
      )
    }
    #expect(
      invalid < 600 && executed > 1500 && refused > 200 && withErrors > 500 && withNulledData > 100,
      "\(invalid) invalid, \(executed) executed, \(refused) refused, \(withErrors) with errors, \(withNulledData) null"
    )
  }

  @Test(.enabled(if: ParseDifferentialTests.isAvailable, "There is no graphql-core 3.2 here."))
  func `agrees with graphql-core at the edges`() async throws {
    var server = try ZooServer()
    server.preparation.validation = ValidationOptions()
    for (request, theirs) in zip(OddRequests.all, try Self.answers(to: OddRequests.all)) {
      let answer = await server.answer(request)
      let ours = try #require(try? JSONDocument(Array(answer.json.utf8)), "\(answer.json)").root
      let told = (ours["errors"]?.elements?.map(Told.init) ?? []).sorted { $0.place < $1.place }
      let expected = (theirs.errors?.map(Told.init) ?? []).sorted { $0.place < $1.place }
      let data = ours["data"].map { String(decoding: $0.rawBytes, as: UTF8.self) }
      let isAlike =
        theirs.invalid == true
        ? !answer.isExecuted && told.first?.message == Told.plain(theirs.why ?? "")
        : data == theirs.data && told.count == expected.count && zip(told, expected).allSatisfy { $0.isAlike($1) }
      #expect(
        isAlike,
        """
        \(request.document)
        \(request.variables ?? "no variables")
        ours: \(answer.json)
        theirs: \(theirs.why ?? "") \(theirs.data ?? "no data") \(expected)
        """
      )
    }
  }

  static func answers(to requests: [ZooRequest]) throws -> [Theirs] {
    let file = FileManager.default.temporaryDirectory.appending(path: "hearth-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try JSONEncoder().encode(requests).write(to: file)
    let tests = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
    let output = try #require(
      ParseDifferentialTests.python([
        tests.appending(path: "Differential/graphql_core_execute.py").path,
        tests.appending(path: "GraphQLTests/Documents/zoo.graphql").path, file.path,
      ])
    )
    return try JSONDecoder().decode([Theirs].self, from: output)
  }
}
