import Foundation
import TestSupport
import Testing

@testable import GraphQL

/// Comparison with graphql-core, the Python port of graphql-js 16: which schemas are accepted, the number of errors in
/// others, and their introspection results. Skipped if Python has no graphql-core; `Scripts/test` installs it.
@Suite("Schemas against graphql-core")
struct SchemaDifferentialTests {
  static let isAvailable = ParseDifferentialTests.isAvailable

  /// Errors that only Hearth reports, by the start or end of the message, with the reason.
  static let differences: [(pattern: String, reason: String)] = [
    ("All root types must be different", "graphql-core does not check it."),
    ("so implementation field", "Since the September 2025 edition."),
    ("has invalid default value", "graphql-core does not coerce default values when it validates a schema."),
    ("has invalid value", "graphql-core does not check what directives on definitions are given."),
    ("Invalid circular reference. The default value", "Since the September 2025 edition."),
    ("or it has no finite value", "Since the September 2025 edition."),
    ("cannot reference itself, directly or through", "graphql-core does not check it."),
    ("is built in. It cannot be redefined", "graphql-core accepts its own definition silently."),
  ]

  static func answers(_ cases: [[String: Any]]) async throws -> [[String: Any]] {
    let input = try JSONSerialization.data(withJSONObject: cases)
    let output = try await PythonScript.output(of: "Differential/graphql_core_schema.py", input: input)
    return try #require(try JSONSerialization.jsonObject(with: output) as? [[String: Any]])
  }

  /// A comparable introspection result: types by name, without built-in definitions, because graphql-core has the
  /// descriptions of an earlier edition.
  static func comparable(_ introspection: Any?) throws -> [String: Any] {
    var schema = try #require((introspection as? [String: Any])?["__schema"] as? [String: Any])
    let types = try #require(schema["types"] as? [[String: Any]])
    schema["types"] = types.filter { !BuiltInDefinitions.types.contains($0["name"] as? String ?? "") }
      .sorted { ($0["name"] as? String ?? "") < ($1["name"] as? String ?? "") }
    schema["scalars"] = types.compactMap { $0["name"] as? String }.sorted()
    let directives = try #require(schema["directives"] as? [[String: Any]])
    schema["directives"] = directives.filter { !BuiltInDefinitions.directives.contains($0["name"] as? String ?? "") }
    return schema
  }

  /// The first path at which two JSON values differ, and both values there, or nil if they are equal.
  static func difference(_ ours: Any?, _ theirs: Any?, at path: String = "") -> String? {
    if let ours = ours as? [String: Any], let theirs = theirs as? [String: Any] {
      return Set(ours.keys).union(theirs.keys).sorted().lazy
        .compactMap { difference(ours[$0], theirs[$0], at: "\(path).\($0)") }.first
    }
    if let ours = ours as? [Any], let theirs = theirs as? [Any], ours.count == theirs.count {
      return ours.indices.lazy.compactMap { difference(ours[$0], theirs[$0], at: "\(path)[\($0)]") }.first
    }
    if let ours = ours as? NSObject, let theirs = theirs as? NSObject, ours.isEqual(theirs) { return nil }
    return "\(path): \(ours ?? "nothing"), theirs \(theirs ?? "nothing")"
  }

  @Test(.enabled(if: isAvailable, "There is no graphql-core 3.2 here."))
  func `agrees with graphql-core over random schemas`() async throws {
    var generator = SchemaGenerator(seed: 2025)
    let documents = (0..<1000).map { _ in generator.document() }
    let answers = try await Self.answers(documents.map { ["sdl": $0] })
    try #require(answers.count == documents.count)
    var (accepted, rejected) = (0, 0)
    for (sdl, answer) in zip(documents, answers) {
      var faults: [String] = []
      var schema: Schema?
      do {
        schema = try SchemaBuilder.build(sdl)
      } catch {
        faults = error.errors.map(\.message).filter { message in
          !Self.differences.contains { message.contains($0.pattern) }
        }
        guard faults.count == error.errors.count || !faults.isEmpty else { continue }
      }
      if let failure = answer["failure"] as? String {
        // Its constructors reject some types with an exception, so only the first error is known.
        #expect(failure.hasPrefix("TypeError") && !faults.isEmpty, "\(failure) \(sdl)")
        continue
      }
      let theirs = answer["faults"] as? [String] ?? []
      #expect(faults.sorted() == theirs.sorted(), "\(sdl)")
      if let schema {
        accepted += 1
        let ours = try JSONSerialization.jsonObject(with: Data(SchemaIntrospection.json(schema)))
        let difference = try Self.difference(Self.comparable(ours), Self.comparable(answer["schema"]))
        #expect(difference == nil, "\(sdl)")
      } else {
        rejected += 1
      }
    }
    #expect(accepted > 300 && rejected > 300, "\(accepted), \(rejected)")
  }

  @Test(
    .enabled(if: isAvailable, "There is no graphql-core 3.2 here."),
    arguments: CompleteSchemas.files
  )
  func `agrees with graphql-core over complete schemas`(file: String) async throws {
    let sdl = try CompleteSchemas.sdl(file)
    let schema = try SchemaBuilder.build(sdl)
    let json = try JSONSerialization.jsonObject(with: Data(SchemaIntrospection.json(schema)))
    let answers = try await Self.answers([["sdl": sdl, "introspection": json]])
    try #require(answers.count == 1)
    let answer = answers[0]
    #expect(answer["faults"] == nil && answer["failure"] == nil, "\(answer)")
    #expect(answer["client"] as? Bool == true)
    #expect(try Self.difference(Self.comparable(json), Self.comparable(answer["schema"])) == nil)
  }
}
