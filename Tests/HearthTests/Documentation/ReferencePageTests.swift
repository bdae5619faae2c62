import Foundation
import TestSupport
import Testing

@testable import Hearth

/// `Documentation/reference`, which `Scripts/documentation` generates from the schema, the examples and
/// `mutations.json`.
@Suite("The API reference")
struct ReferencePageTests {
  private static let folder = Checkout.root.appendingPathComponent("Documentation/reference")

  private static func pages(in folder: URL) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
    return try Dictionary(
      uniqueKeysWithValues: names.map { name in
        (name, try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8))
      }
    )
  }

  @Test(.enabled(if: PythonScript.has("graphql"), "Scripts/test installs graphql-core"))
  func `the pages in the repository are current`() async throws {
    let directory = try TemporaryDirectory()
    let output = TestOptions.updatesSnapshots ? Self.folder.path : directory.path
    let outcome = try await PythonScript.run("../Documentation/generator/build_reference.py", output)
    #expect(outcome.status == 0, "\(outcome.output)")
    let generated = try Self.pages(in: URL(fileURLWithPath: output))
    let committed = try Self.pages(in: Self.folder)
    #expect(committed.keys.sorted() == generated.keys.sorted())
    for (name, text) in generated { #expect(committed[name] == text, "\(name): run Scripts/documentation") }
  }

  /// Compared with the schema as the server knows it, not as the generator reads it.
  @Test func `every type, field, argument, enum value and root field has its line`() throws {
    let pages = try Self.pages(in: Self.folder)
    var sections: [String: [String]] = [:]
    for text in pages.values {
      for section in text.split(separator: "\n### ").dropFirst() {
        sections[String(section.prefix { $0 != "\n" }), default: []].append(String(section))
      }
    }
    let schema = try Value(HearthSchema.introspection())["__schema"]
    let roots = ["queryType", "mutationType", "subscriptionType"].map { schema["\($0).name"].string ?? "" }
    let types = schema["types"].list.filter { $0["name"].string?.hasPrefix("__") == false }
    #expect(types.count > 150)
    func expect(_ part: String, in name: String) {
      #expect(sections[name, default: []].contains { $0.contains(part) }, "\(name): \(part)")
    }
    for type in types {
      let name = type["name"].string ?? ""
      if roots.contains(name) {
        for field in type["fields"].list {
          let root = field["name"].string ?? ""
          #expect(sections[root] != nil, "\(root)")
          for argument in field["args"].list { expect("| `\(argument["name"].string ?? "")` |", in: root) }
        }
        continue
      }
      #expect(sections[name] != nil, "\(name)")
      for field in type["fields"].list {
        let label = field["name"].string ?? ""
        expect("| `\(label)` |", in: name)
        for argument in field["args"].list { expect("| `\(label)(\(argument["name"].string ?? ""):)` |", in: name) }
      }
      for member in type["inputFields"].list + type["enumValues"].list {
        expect("| `\(member["name"].string ?? "")` |", in: name)
      }
    }
  }

  @Test func `every mutation states its callers, its user errors and an example`() throws {
    let text = try Self.pages(in: Self.folder).values.joined()
    for (name, facts) in MutationErrors.all {
      let section = try #require(text.split(separator: "\n### \(name)\n").dropFirst().first, "\(name)")
      let body = section.prefix(upTo: section.firstRange(of: "\n### ")?.lowerBound ?? section.endIndex)
      #expect(body.contains("\nCallers: ") && body.contains("\nUser errors: "), "\(name)")
      // The examples use the replacement.
      let isDeprecated = MutationLine.all.allSatisfy { $0.name != name }
      let expected = isDeprecated ? "\n**Deprecated:** " : "```graphql"
      #expect(body.contains(expected), "\(name) has no document in Examples")
      let callers = Set((MutationLine.all + MutationLine.deprecated).filter { $0.name == name }.map { "\($0.who)" })
      #expect(callers == [facts.callers], "\(name): mutations.json and the authorisation matrix differ")
    }
    #expect(MutationErrors.all.count > 60)
  }
}
