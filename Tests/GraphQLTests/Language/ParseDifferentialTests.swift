import Foundation
import TestSupport
import Testing

@testable import GraphQL

/// Comparison with graphql-core, the Python port of graphql-js 16: which documents are accepted, the locations of
/// errors, and how documents are printed. Skipped if Python has no graphql-core; `Scripts/test` installs it.
///
/// The documents below avoid the intended differences:
/// - Descriptions of operations, fragments and variables belong to the September 2025 edition, which graphql-core 3.2
///   does not support. None are generated, and a mutation that creates one is recognized by its message.
/// - graphql-core fails with an exception if a backslash ends the document.
/// - graphql-core splits block strings at form feeds and other characters that are not line terminators of GraphQL, and
///   prints variables on one line. How such documents are printed is not compared.
@Suite("Parsing against graphql-core")
struct ParseDifferentialTests {
  struct Answer: Decodable {
    let printed: String?
    let line: Int?
    let column: Int?
    let message: String?
    let failure: String?
  }

  static let isAvailable = PythonScript.accepts("import graphql; assert graphql.__version__.startswith('3.2')")

  static func isDifference(_ text: String, _ answer: Answer, _ ours: GraphQLError?) -> Bool {
    if answer.failure?.contains("IndexError") == true { return ours != nil }
    let theirs = answer.message ?? ""
    return theirs.contains("Unexpected description, descriptions are supported only on type definitions")
      // A description of a variable.
      || theirs.hasPrefix("Syntax Error: Expected '$', found String")
      || theirs.hasPrefix("Syntax Error: Expected '$', found BlockString")
  }

  static func printsAlike(_ document: Document, _ text: String) -> Bool {
    let oddLineEnds: Set<Unicode.Scalar> = [
      "\u{B}", "\u{C}", "\u{1C}", "\u{1D}", "\u{1E}", "\u{85}", "\u{2028}", "\u{2029}",
    ]
    if text.unicodeScalars.contains(where: oddLineEnds.contains) { return false }
    return !document.nodes.indices.contains {
      document[$0].kind == .variableDefinition && Printer.print($0, of: document).contains("\n")
    }
  }

  @Test(.enabled(if: isAvailable, "There is no graphql-core 3.2 here."))
  func `agrees with graphql-core`() async throws {
    var generator = DocumentGenerator(seed: 2025)
    var texts: [String] = []
    for _ in 0..<800 {
      let text = generator.document(descriptions: false)
      texts.append(text)
      for _ in 0..<3 {
        // Ill-formed UTF-8 cannot be passed to Python.
        if let mutated = String(validating: generator.mutate(Array(text.utf8)), as: UTF8.self) { texts.append(mutated) }
      }
    }
    texts.append(String(decoding: try testDocument("schema-kitchen-sink.graphql").bytes, as: UTF8.self))

    let input = try JSONEncoder().encode(texts)
    let output = try await PythonScript.output(of: "Differential/graphql_core_parse.py", input: input)
    let answers = try JSONDecoder().decode([Answer].self, from: output)
    try #require(answers.count == texts.count)

    var (accepted, rejected, compared) = (0, 0, 0)
    for (text, answer) in zip(texts, answers) {
      var document: Document?
      let error = failure { () throws(GraphQLError) in document = try Parser.parse(Source(text)) }
      if Self.isDifference(text, answer, error) { continue }
      if let document {
        accepted += 1
        #expect(answer.printed != nil, "accepted, but graphql-core says \(answer): \(text)")
        if let printed = answer.printed, Self.printsAlike(document, text) {
          compared += 1
          #expect(Printer.print(document) == printed, "\(text)")
        }
      } else if let error {
        rejected += 1
        #expect(answer.printed == nil, "\(error.message), but graphql-core accepts: \(text)")
        #expect(
          error.locations == [SourceLocation(line: answer.line ?? 0, column: answer.column ?? 0)],
          "\(error.message), but graphql-core says \(answer): \(text)"
        )
      }
    }
    #expect(accepted > 800 && rejected > 500 && compared > 700, "\(accepted), \(rejected), \(compared)")
  }
}
