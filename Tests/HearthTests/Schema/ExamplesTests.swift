import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("The examples")
struct ExamplesTests {
  @Test func `each is valid for the current schema`() async throws {
    let directory = Checkout.root.appendingPathComponent("Examples")
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).filter { $0.hasSuffix(".graphql") }
    #expect(names.count > 20)
    try await TestServer.run { server in
      for name in names.sorted() {
        let document = try String(contentsOf: directory.appendingPathComponent(name), encoding: .utf8)
        // Without variables, most operations fail, and subscriptions need an event stream. Both are detected only after
        // validation.
        let answer = try await server.visitor.post(document)
        let codes = Set(answer.codes).subtracting(["BAD_USER_INPUT", "UNAUTHENTICATED", "NOT_ACCEPTABLE"])
        #expect(codes == [], "\(name): \(answer.text)")
      }
    }
  }
}
