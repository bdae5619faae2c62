import Foundation
import Testing

@testable import GraphQL

/// What graphql-js answered for the type system documents of its own tests. The recordings are not part of the project;
/// where they are not there, the test is skipped.
@Suite("Conformance of type system documents")
struct SDLConformanceTests {
  struct Case: Decodable {
    struct Failure: Decodable {
      struct Location: Decodable {
        let line: Int
        let column: Int
      }
      let message: String
      let locations: [Location]
    }
    let test: String
    let rule: String
    /// The schema that `sdl` extends.
    let base: String?
    let sdl: String
    let errors: [Failure]
  }

  struct Cases: Decodable { let cases: [Case] }

  static let recordings: URL? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL
    let places = [root.appending(path: "../shared/conformance"), URL(filePath: "/work/shared/conformance")]
    return places.map { $0.appending(path: "sdl-validation-cases.json").standardizedFileURL }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// Our rule of a name such as `KnownTypeNamesRule`.
  static func rule(_ name: String) -> SDLRule? {
    let stem = name.prefix(1).lowercased() + name.dropFirst().dropLast("Rule".count)
    return SDLRule(rawValue: stem)
  }

  @Test(.enabled(if: recordings != nil, "The recorded cases are not on this machine."))
  func `answers as graphql-js does`() throws {
    let file = try #require(Self.recordings)
    let cases = try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file)).cases
    #expect(cases.count > 100)
    for recorded in cases {
      let rule = try #require(Self.rule(recorded.rule), "\(recorded.rule)")
      let base = try recorded.base.map { try Parser.parse(Source($0)) }
      let errors = try SDLValidator.validate(Parser.parse(Source(recorded.sdl)), extending: base, rules: [rule])
      let comment: Comment = "\(recorded.test): \(recorded.sdl)"
      // The order is each side's own.
      #expect(errors.map(\.message).sorted() == recorded.errors.map(\.message).sorted(), comment)
      let ours = errors.map { "\($0.message) \($0.locations.map { [$0.line, $0.column] })" }
      let theirs = recorded.errors.map { "\($0.message) \($0.locations.map { [$0.line, $0.column] })" }
      #expect(ours.sorted() == theirs.sorted(), comment)
      #expect(errors.allSatisfy { $0.code == .schemaInvalid }, comment)
    }
  }
}
