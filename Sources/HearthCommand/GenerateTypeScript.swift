import ArgumentParser
import ClientGeneration
import Foundation

struct GenerateTypeScript: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "typescript",
    abstract: "Generates a TypeScript client with types for operations.",
    discussion: """
      The client is a single file without dependencies, for browsers and for Node 20 or newer. It contains the types and \
      the text of each operation, and a client with renewal of tokens, uploads, retries and subscriptions that resume.
      """
  )

  @OptionGroup var input: GenerationInput

  @Option(help: "The output file.", completion: .file(extensions: ["ts"]))
  var output: String

  @Option(help: "The TypeScript type of a scalar in JSON, such as DateTime=string. Can be repeated.")
  var scalar: [String] = []

  func run() throws {
    var options = GenerationOptions()
    options.typescriptScalars.merge(try GenerationInput.scalars(scalar)) { $1 }
    let text = try input.generate { schema, documents throws(GenerationError) in
      try TypeScriptGenerator.generate(schema: schema, documents: documents, options: options)
    }
    let url = URL(fileURLWithPath: output)
    // An unchanged file is not touched, so that development servers do not reload.
    if (try? String(contentsOf: url, encoding: .utf8)) != text {
      do {
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: url, atomically: true, encoding: .utf8)
      } catch {
        throw CommandError("The client cannot be written to \(output).")
      }
    }
    print("The client is in \(output).")
  }
}
