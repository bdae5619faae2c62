import Foundation
import TestSupport
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

  @Test(arguments: ["swift", "typescript"])
  func `what is deprecated is a warning, and the client is generated`(language: String) async throws {
    let directory = try TemporaryDirectory()
    let document = URL(fileURLWithPath: directory.path).appendingPathComponent("Child.graphql")
    let text = "query Child($id: ID!) {\n  family { child(id: $id) { prizeLevel { level } } }\n}\n"
    try Data(text.utf8).write(to: document)
    let output = directory.path + (language == "swift" ? "/Sources" : "/client.ts")
    let result = try await Program.run("generate", language, "--documents", directory.path, "--output", output)
    let warning = "Child.graphql:2:29: warning: The field Child.prizeLevel is deprecated. Use `rewardLevel` instead.\n"
    #expect(result.status == 0 && result.errors == warning, "\(result.errors)")
    let generated = try String(
      contentsOfFile: output + (language == "swift" ? "/ChildQuery.swift" : ""),
      encoding: .utf8
    )
    #expect(generated.contains("prizeLevel"))
  }
}
