import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("The domain diagram")
struct DomainDiagramTests {
  @Test func `it is current, and its types are types of the schema`() async throws {
    let directory = try TemporaryDirectory()
    let drawn = directory.path + "/domain.svg"
    #expect(try await PythonScript.run("../Documentation/generator/draw_domain.py", drawn).status == 0)
    let file = Checkout.root.appendingPathComponent("Documentation/domain.svg")
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(try String(contentsOfFile: drawn, encoding: .utf8) == text)
    let names = text.matches(of: /class="type"[^>]*>(\w+)</).map { String($0.1) }
    let types = try Value(HearthSchema.introspection())["__schema.types"].list.compactMap { $0["name"].string }
    #expect(names.count >= 10)
    #expect(Set(names).subtracting(types) == [])
  }
}
