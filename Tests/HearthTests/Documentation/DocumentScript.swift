import Foundation

/// The commands of a document in order, as one script, so that later commands can use results of earlier ones.
struct DocumentScript {
  struct Step {
    let block: Document.Block
    /// The expected response of the following block.
    let stated: Document.Block?
  }

  /// The address that documents name.
  static let address = "127.0.0.1:8080"
  /// Separates the outputs of two steps.
  private static let separator = "\u{1E}"
  private static let runnable: Set = ["sh", "graphql", "python"]
  private static let answers: Set = ["json", "text"]

  let steps: [Step]

  init(_ document: Document) {
    let blocks = document.blocks
    steps = blocks.indices.filter { Self.runnable.contains(blocks[$0].language) && blocks[$0].reasonNotToRun == nil }
      .map { index in
        let next = index + 1 < blocks.count ? blocks[index + 1] : nil
        return Step(block: blocks[index], stated: next.flatMap { Self.answers.contains($0.language) ? $0 : nil })
      }
  }

  /// Runs all of it in a folder against a server with demo data. GraphQL is sent as whom the commands before have
  /// signed in.
  func outputs(in folder: String, port: Int, environment: [String: String] = [:]) async throws -> [String] {
    var script = "set -euo pipefail\n"
    for (number, step) in steps.enumerated() {
      let text = step.block.text.replacing(Self.address, with: "127.0.0.1:\(port)")
      switch step.block.language {
      case "graphql":
        let example = ExampleDocument(text)
        let request: Value = ["query": .string(text), "variables": example.variables]
        try request.text.write(toFile: "\(folder)/step-\(number).json", atomically: false, encoding: .utf8)
        script += """
          curl -s http://127.0.0.1:\(port)/graphql -H 'Content-Type: application/json' \
          ${TOKEN:+-H "Authorization: Bearer $TOKEN"} -d @step-\(number).json

          """
      case "python":
        try text.write(toFile: "\(folder)/step-\(number).py", atomically: false, encoding: .utf8)
        script += "python3 step-\(number).py\n"
      default: script += text + "\n"
      }
      script += "printf '\\036'\n"
    }
    let programs = try Program.executable().deletingLastPathComponent().path
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let result = try await Command.run(
      ["bash", "-c", script],
      in: folder,
      environment: [
        "PATH": "\(programs):\(path)", "HEARTH_PASSWORD_COST": "10", "HEARTH": "http://127.0.0.1:\(port)/graphql",
      ].merging(environment) { _, given in given }
    )
    return result.output.replacing("127.0.0.1:\(port)", with: Self.address)
      .split(separator: Self.separator, omittingEmptySubsequences: false)
      .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
  }
}
