import Foundation
import Testing

@testable import Hearth

@Suite("The domain diagram")
struct DomainDiagramTests {
  @Test func `its types are types of the schema`() throws {
    let file = Checkout.root.appendingPathComponent("Documentation/domain.svg")
    let names = try String(contentsOf: file, encoding: .utf8).matches(of: /class="type"[^>]*>(\w+)</).map {
      String($0.1)
    }
    let types = try Value(HearthSchema.introspection())["__schema.types"].each("name").compactMap(\.string)
    #expect(names.count >= 10)
    #expect(Set(names).subtracting(types) == [])
  }
}
