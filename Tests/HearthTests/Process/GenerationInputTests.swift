import Foundation
import Testing

@Suite("The files that hearth generate reads", .timeLimit(.minutes(20)))
struct GenerationInputTests {
  private static let root = Checkout.root.path + "/"
  private static let folder = root + "Examples/clients/documents"

  @Test(arguments: [
    (
      ["--schema", "http://127.0.0.1:8080/graphql", "--documents", folder],
      "Error: --schema takes a file: download it with `curl -o schema.graphql URL`. "
    ),
    (
      ["--schema", root + "Examples/clients/apollo-ios/apollo-codegen-config.json", "--documents", folder],
      "Error: --schema takes SDL, and "
    ),
    (
      ["--documents", folder + "/Family.graphql"],
      "Error: --documents takes a folder of .graphql documents or a manifest (.json), not one document.\n"
    ),
  ])
  func `an input of another kind is reported with what is expected`(arguments: [String], message: String) async throws {
    let result = try await Program(["generate", "typescript", "--output", "/dev/null/client.ts"] + arguments).result()
    #expect(result.status != 0)
    #expect(result.errors.hasPrefix(message), "\(result.errors)")
  }
}
