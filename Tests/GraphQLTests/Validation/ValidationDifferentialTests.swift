import Foundation
import Testing

@testable import GraphQL

/// Against graphql-core, the Python port of graphql-js 16, over random documents: the same errors with the same places.
/// Skipped where Python has no graphql-core.
///
/// Where the two differ on purpose:
/// - A variable that may be null in a `@oneOf` input object: graphql-core tells it in another rule with another
///   message, and fails with an exception of its own where the variable is not declared.
/// - The arguments of an unknown directive: graphql-js takes them for arguments of the field around it.
/// - `__typename` under an alias: graphql-js does not compare its type with that of other fields of that name; section
///   5.3.2 does.
/// - One error tells at most 20 conflicts of subfields.
///
/// graphql-core 3.2.8 misses some conflicts of fields in nested fragments; the driver mends that as graphql-js 16.9
/// did.
/// - `@skip` and `@include` at the root of a subscription: forbidden since the September 2025 edition.
@Suite("Validation against graphql-core")
struct ValidationDifferentialTests {
  struct Answer: Decodable {
    let document: String
    let errors: [Fault]?
  }

  /// A message and its places.
  struct Fault: Decodable, Hashable, Comparable, CustomStringConvertible {
    let message: String
    let places: [[Int]]

    init(message: String, places: [[Int]]) {
      self.message = message
      self.places = places
    }

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      self.init(message: Self.normalized(try container.decode(String.self)), places: try container.decode([[Int]].self))
    }

    /// graphql-core quotes with `'` and spells locations in lower case.
    static func normalized(_ message: String) -> String {
      var message = message.replacingOccurrences(of: "\"", with: "'")
      if let range = message.range(of: " may not be used on ") {
        let location = message[range.upperBound...].uppercased().replacingOccurrences(of: " ", with: "_")
        message.replaceSubrange(range.upperBound..., with: location)
      }
      return message
    }

    var isLong: Bool { message.components(separatedBy: " and subfields ").count > 19 }
    var isAboutOneOfVariables: Bool { message.contains("must be non-nullable to be used for OneOf Input Object") }
    var isAboutConditions: Bool { message.contains("must not use `@skip` or `@include`") }
    var isAboutRootFields: Bool { message.hasSuffix(" top level field.") }

    static func < (one: Fault, other: Fault) -> Bool { one.description < other.description }
    var description: String { "\(places) \(message)" }
  }

  static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Differential")
    .standardizedFileURL

  /// `HEARTH_TEST_SEEDS=100` tries so many.
  static let seeds = 1...(Int(ProcessInfo.processInfo.environment["HEARTH_TEST_SEEDS"] ?? "") ?? 3)

  @Test(.enabled(if: ParseDifferentialTests.isAvailable, "There is no graphql-core 3.2 here."), arguments: Self.seeds)
  func `finds the faults that graphql-core finds`(seed: Int) throws {
    let sdl = Self.folder.appending(path: "validation.graphql").path
    let schema = try SchemaBuilder.build(String(contentsOfFile: sdl, encoding: .utf8))
    let output = try #require(
      ParseDifferentialTests.python([
        Self.folder.appending(path: "graphql_core_validate.py").path, sdl, "\(seed)", "800",
      ])
    )
    var options = ValidationOptions()
    options.maximumErrors = .max
    options.limits.aliases = .max
    options.limits.fragmentSpreads = .max
    var (valid, invalid) = (0, 0)
    for line in output.split(separator: UInt8(ascii: "\n")) {
      let answer = try JSONDecoder().decode(Answer.self, from: Data(line))
      guard let theirs = answer.errors?.sorted() else { continue }
      let document = try Parser.parse(Source(answer.document))
      let ours = Validator.validate(document, against: schema, options: options)
        .map { error in
          Fault(message: Fault.normalized(error.message), places: error.locations.map { [$0.line, $0.column] })
        }.sorted()
      if ours.isEmpty { valid += 1 } else { invalid += 1 }
      guard ours != theirs, !isDifference(ours, theirs) else { continue }
      let (more, less) = (Set(ours).subtracting(theirs), Set(theirs).subtracting(ours))
      Issue.record(
        "more: \(more.sorted())\nless: \(less.sorted())\nours \(ours.count), theirs \(theirs.count)\n\(answer.document)"
      )
    }
    #expect(valid > 250 && invalid > 250, "\(valid) \(invalid)")
  }

  private func isDifference(_ ours: [Fault], _ theirs: [Fault]) -> Bool {
    var (ours, theirs) = (ours, theirs)
    // What they leave out for its condition we count.
    if ours.contains(where: \.isAboutConditions) {
      ours.removeAll(where: \.isAboutRootFields)
      theirs.removeAll(where: \.isAboutRootFields)
    }
    ours.removeAll { $0.isAboutOneOfVariables || $0.isAboutConditions }
    theirs.removeAll(where: \.isAboutOneOfVariables)
    if ours == theirs { return true }
    ours.removeAll(where: \.isLong)
    theirs.removeAll(where: \.isLong)
    return ours == theirs
  }
}
