import Foundation
import Testing

@testable import GraphQL

/// What graphql-js answered for the documents of its own tests. The recordings are not part of the project; where they
/// are not there, the test is skipped.
@Suite("Conformance of validation")
struct ValidationConformanceTests {
  struct Location: Decodable, Hashable {
    let line: Int
    let column: Int
  }

  struct RecordedError: Decodable {
    let message: String
    let locations: [Location]?
  }

  struct Case: Decodable {
    let test: String
    let rule: String
    let schema: String?
    let query: String
    let errors: [RecordedError]
    let allRulesErrors: [RecordedError]?
  }

  struct Cases: Decodable {
    let defaultSchema: String
    let cases: [Case]
  }

  static let recordings: URL? = {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardizedFileURL
    let places = [root.appending(path: "../shared/conformance"), URL(filePath: "/work/shared/conformance")]
    return places.map { $0.appending(path: "validation-cases.json").standardizedFileURL }
      .first { FileManager.default.fileExists(atPath: $0.path) }
  }()

  /// Errors of theirs that we do not tell, on purpose.
  static let untold: [(message: String, reason: String)] = [
    (
      #"Variable "string" must be non-nullable to be used for OneOf Input Object"#,
      "Told twice; graphql-js 17 leaves it, as we do, to VariablesInAllowedPosition."
    )
  ]

  /// Cases that ask for something else than we offer.
  static let otherwise: [(test: String, reason: String)] = [
    (
      "references to standard scalars that are missing in schema",
      "The built-in scalars are in every schema of ours, used or not."
    )
  ]

  static func rule(_ name: String) -> ValidationRule? {
    switch name {
    case "MaxIntrospectionDepthRule": return .limits
    case "NoSchemaIntrospectionCustomRule": return .noSchemaIntrospection
    case "NoDeprecatedCustomRule": return .noDeprecated
    default: return ValidationRule.allCases.first { "\($0)".lowercased() + "rule" == name.lowercased() }
    }
  }

  /// The scalar of the recorded schemas that takes no literal.
  static let scalars = [
    "CustomScalar": ScalarCoercion { _, _, shown throws(ScalarError) in
      throw ScalarError("Expected value of type \"CustomScalar\", found \(shown()).")
    }
  ]

  @Test(.enabled(if: recordings != nil, "The recorded cases are not on this machine."))
  func `tells what graphql-js tells, rule by rule and all together`() throws {
    let file = try #require(Self.recordings)
    let recorded = try JSONDecoder().decode(Cases.self, from: Data(contentsOf: file))
    #expect(recorded.cases.count > 400)
    var schemas: [String: Schema] = [:]
    for recordedCase in recorded.cases {
      if Self.otherwise.contains(where: { recordedCase.test.hasSuffix($0.test) }) { continue }
      let sdl = recordedCase.schema ?? recorded.defaultSchema
      let schema = try schemas[sdl] ?? SchemaBuilder.build(sdl, scalars: Self.scalars)
      schemas[sdl] = schema
      let rule = try #require(Self.rule(recordedCase.rule), "\(recordedCase.rule)")
      let document = try Parser.parse(Source(recordedCase.query))
      var options = ValidationOptions()
      options.refusesDeprecated = rule == .noDeprecated
      let isAboutIntrospection = rule == .noSchemaIntrospection
      options.allowsIntrospection = !isAboutIntrospection
      var validation = Validation(document, schema, options)
      validation.run()
      let name = "\(recordedCase.rule): \(recordedCase.test)\n\(recordedCase.query)"
      expectSame(
        validation.violations.sorted().filter { $0.rule == rule },
        document,
        recordedCase.errors,
        name
      )
      if let all = recordedCase.allRulesErrors, !options.refusesDeprecated, !isAboutIntrospection {
        // The contents of type system definitions are not looked into: they are refused as a whole.
        if all.contains(where: { $0.message.contains("is not executable") }) { continue }
        expectSame(validation.violations.sorted(), document, all, "all rules, " + name)
      }
    }
  }

  private func expectSame(
    _ violations: [Violation],
    _ document: Document,
    _ recorded: [RecordedError],
    _ name: String
  ) {
    let expected = recorded.filter { error in !Self.untold.contains { error.message.hasPrefix($0.message) } }
    #expect(violations.map(\.message) == expected.map(\.message), "\(name)")
    let places = violations.map { violation in
      violation.offsets.map { document.source.location(at: Int($0)) }.map { Location(line: $0.line, column: $0.column) }
    }
    #expect(places == expected.map { $0.locations ?? [] }, "\(name)")
  }
}
