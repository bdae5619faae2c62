import Foundation
import TestSupport
import Testing

@testable import GraphQL

/// Comparison with graphql-core, the Python port of graphql-js 16, on random documents: the same errors with the same
/// locations. Skipped if Python has no graphql-core.
///
/// Intended differences:
/// - A nullable variable in a `@oneOf` input object: graphql-core reports it with another rule and message, and fails
///   with an exception if the variable is not defined.
/// - A nullable variable with a default value in a `@oneOf` input object: allowed since the September 2025 edition.
/// - The arguments of an unknown directive: graphql-js treats them as arguments of the field with the directive.
/// - `__typename` under an alias: graphql-js does not compare its type with that of other fields of that name; section
///   5.3.2 does.
/// - One error reports at most 20 conflicts of subfields.
///
/// graphql-core 3.2.8 misses some conflicts of fields in nested fragments; the driver corrects that like graphql-js
/// 16.9.
/// - `@skip` and `@include` at the root of a subscription: forbidden since the September 2025 edition.
@Suite("Validation against graphql-core")
struct ValidationDifferentialTests {
  struct Answer: Decodable {
    let document: String
    let errors: [Fault]?
  }

  /// A message and its locations.
  struct Fault: Decodable, Hashable, Comparable, CustomStringConvertible {
    let message: String
    let locations: [[Int]]

    init(message: String, locations: [[Int]]) {
      self.message = message
      self.locations = locations
    }

    init(from decoder: any Decoder) throws {
      var container = try decoder.unkeyedContainer()
      self.init(
        message: Self.normalized(try container.decode(String.self)),
        locations: try container.decode([[Int]].self)
      )
    }

    /// graphql-core quotes with `'` and prints directive locations in lower case.
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
    var description: String { "\(locations) \(message)" }
  }

  /// `HEARTH_TEST_SEEDS=100` tests 100 seeds.
  static let seeds = 1...(Int(ProcessInfo.processInfo.environment["HEARTH_TEST_SEEDS"] ?? "") ?? 3)

  @Test(.enabled(if: ParseDifferentialTests.isAvailable, "There is no graphql-core 3.2 here."), arguments: Self.seeds)
  func `reports the same errors as graphql-core`(seed: Int) async throws {
    let sdl = PythonScript.file("Differential/validation.graphql")
    let schema = try SchemaBuilder.build(String(contentsOfFile: sdl, encoding: .utf8))
    let output = try await PythonScript.output(of: "Differential/graphql_core_validate.py", sdl, "\(seed)", "800")
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
          Fault(message: Fault.normalized(error.message), locations: error.locations.map { [$0.line, $0.column] })
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
    // graphql-core omits fields by their condition; Hearth counts them.
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
