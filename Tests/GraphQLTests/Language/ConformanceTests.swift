import Foundation
import Testing

@testable import GraphQL

/// What graphql-js answered for the documents of its own tests. The recordings are not part of the project; where they
/// are not there, the test is skipped.
@Suite("Conformance of parsing")
struct ParseConformanceTests {
  struct Case: Decodable {
    struct Options: Decodable {
      let maxTokens: Int?
      let allowLegacyFragmentVariables: Bool?
    }
    struct Location: Decodable {
      let line: Int
      let column: Int
    }
    let test: String
    let source: String
    let options: Options?
    let ok: Bool
    let message: String?
    let locations: [Location]?
  }

  struct Cases: Decodable { let cases: [Case] }

  static let recordings: URL? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL
    let places = [root.appending(path: "../shared/conformance"), URL(filePath: "/work/shared/conformance")]
    return places.map { $0.appending(path: "parse-cases.json").standardizedFileURL }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// Where we answer otherwise on purpose: their message, ours, and why.
  static let differences: [(theirs: String, ours: String, reason: String)] = [
    (
      "Document contains more that", "Document contains more than",
      "A slip of the pen, mended in later releases of graphql-js."
    ),
    (
      "Unexpected description, descriptions are supported only on type definitions.",
      "Unexpected description, only GraphQL definitions support descriptions.",
      "Since the September 2025 edition operations and fragments have descriptions too; so says graphql-js 16.12."
    ),
  ]

  @Test(.enabled(if: recordings != nil, "The recorded cases are not on this machine."))
  func `answers as graphql-js does`() throws {
    let file = try #require(Self.recordings)
    let cases = try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file)).cases
    #expect(cases.count > 100)
    for recorded in cases {
      // Variables of fragments were an experiment of graphql-js that its next release drops; no edition has them.
      if recorded.options?.allowLegacyFragmentVariables == true { continue }
      var options = ParseOptions()
      if let maxTokens = recorded.options?.maxTokens { options.maxTokens = maxTokens }
      let error = failure { () throws(GraphQLError) in try Parser.parse(Source(recorded.source), options: options) }
      var message = recorded.message
      for difference in Self.differences {
        message = message?.replacingOccurrences(of: difference.theirs, with: difference.ours)
      }
      #expect(error?.message == message, "\(recorded.test): \(recorded.source)")
      #expect(
        error?.locations.map { [$0.line, $0.column] } ?? [] == recorded.locations?.map { [$0.line, $0.column] } ?? [],
        "\(recorded.test): \(recorded.source)"
      )
    }
  }
}

/// The error that a closure ends in, if it does.
func failure<Value>(_ body: () throws(GraphQLError) -> Value) -> GraphQLError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
