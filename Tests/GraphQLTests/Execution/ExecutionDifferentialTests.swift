import Foundation
import JSON
import TestSupport
import Testing

@testable import GraphQL

/// Comparison with graphql-core, the Python port of graphql-js 16: complete responses to generated requests, including
/// the order of keys. Skipped if Python has no graphql-core; `Scripts/test` installs it.
///
/// `ReportedError.isEquivalent` documents the intended differences.
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

  /// An error as reported by one of the two.
  struct ReportedError: Equatable, CustomStringConvertible {
    let message: String
    let locations: [[Int]]
    let path: [Step]?
    var sortKey: String { "\(locations) \(path ?? [])" }
    var description: String { "\(message) at \(locations), \(path ?? [])" }

    init(_ theirs: Theirs.Problem) {
      message = Self.plain(theirs.message)
      locations = theirs.locations
      path = theirs.path
    }

    /// A message of graphql-core in the wording of graphql-js.
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

    func isEquivalent(_ theirs: ReportedError) -> Bool {
      guard locations == theirs.locations, path == theirs.path else { return false }
      if message == theirs.message { return true }
      // Clients do not receive the value that a resolver returned.
      if message.hasSuffix("cannot represent the value that was found.") {
        return theirs.message.contains("cannot represent")
      }
      if message == "Something went wrong on our side." { return theirs.message == "a secret" }
      // graphql-core does not validate it, and finds the error when it executes the operation.
      if message == "The subscription operation is not supported by the schema." {
        return theirs.message == "Schema is not configured to execute subscription operation."
      }
      // Hearth's message adds the reason why the value of an argument is invalid.
      return theirs.message.hasPrefix("Argument") && theirs.message.contains("has invalid value")
        && message.hasPrefix(theirs.message)
    }
  }

  @Test(.enabled(if: ParseDifferentialTests.isAvailable, "There is no graphql-core 3.2 here."))
  func `agrees with graphql-core`() async throws {
    let server = try ZooServer()
    var generator = RequestGenerator(server.executable.schema, seed: 2025)
    let requests = (0..<3000).map { _ in generator.request() }
    let theirs = try await Self.answers(to: requests)
    var (invalid, executed, rejected, withErrors, withNulledData) = (0, 0, 0, 0, 0)
    for (request, theirs) in zip(requests, theirs) {
      if theirs.invalid == true {
        invalid += 1
        continue
      }
      let answer = await server.answer(request)
      let ours = try #require(try? JSONDocument(Array(answer.json.utf8)), "\(answer.json)").root
      // graphql-core sorts errors; Hearth reports them in document order. The path of each is unique.
      let reported = (ours["errors"]?.elements?.map(ReportedError.init) ?? []).sorted { $0.sortKey < $1.sortKey }
      let expected = (theirs.errors?.map(ReportedError.init) ?? []).sorted { $0.sortKey < $1.sortKey }
      let data = ours["data"].map { String(decoding: $0.rawBytes, as: UTF8.self) }
      if answer.isExecuted { executed += 1 } else { rejected += 1 }
      if answer.isExecuted && !reported.isEmpty { withErrors += 1 }
      if data == "null" { withNulledData += 1 }
      let isEquivalent =
        data == theirs.data && reported.count == expected.count
        && zip(reported, expected).allSatisfy { $0.isEquivalent($1) }
      #expect(
        isEquivalent,
        """
        \(request.document)
        \(request.variables ?? "no variables")
        ours: \(answer.json)
        theirs: \(theirs.data ?? "no data") \(expected)
        """
      )
    }
    #expect(
      invalid < 600 && executed > 1500 && rejected > 200 && withErrors > 500 && withNulledData > 100,
      "\(invalid) invalid, \(executed) executed, \(rejected) rejected, \(withErrors) with errors, \(withNulledData) null"
    )
  }

  @Test(.enabled(if: ParseDifferentialTests.isAvailable, "There is no graphql-core 3.2 here."))
  func `agrees with graphql-core in edge cases`() async throws {
    var server = try ZooServer()
    server.preparation.validation = ValidationOptions()
    for (request, theirs) in zip(OddRequests.all, try await Self.answers(to: OddRequests.all)) {
      let answer = await server.answer(request)
      let ours = try #require(try? JSONDocument(Array(answer.json.utf8)), "\(answer.json)").root
      let reported = (ours["errors"]?.elements?.map(ReportedError.init) ?? []).sorted { $0.sortKey < $1.sortKey }
      let expected = (theirs.errors?.map(ReportedError.init) ?? []).sorted { $0.sortKey < $1.sortKey }
      let data = ours["data"].map { String(decoding: $0.rawBytes, as: UTF8.self) }
      let isEquivalent =
        theirs.invalid == true
        ? !answer.isExecuted && reported.first?.message == ReportedError.plain(theirs.why ?? "")
        : data == theirs.data && reported.count == expected.count
          && zip(reported, expected).allSatisfy { $0.isEquivalent($1) }
      #expect(
        isEquivalent,
        """
        \(request.document)
        \(request.variables ?? "no variables")
        ours: \(answer.json)
        theirs: \(theirs.why ?? "") \(theirs.data ?? "no data") \(expected)
        """
      )
    }
  }

  static func answers(to requests: [ZooRequest]) async throws -> [Theirs] {
    let output = try await PythonScript.output(
      of: "Differential/graphql_core_execute.py",
      PythonScript.file("GraphQLTests/Documents/zoo.graphql"),
      input: JSONEncoder().encode(requests)
    )
    return try JSONDecoder().decode([Theirs].self, from: output)
  }
}
