import ArgumentParser
import ClientGeneration
import Foundation

struct GenerateTypeScript: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "typescript",
    abstract: "Generates a TypeScript client with types for operations.",
    discussion: """
      The client is a single file without dependencies, for browsers and for Node 20 or newer. It contains the types and \
      the text of each operation, and a client with renewal of tokens, uploads, retries and subscriptions that resume. \
      --react also writes hooks for React over it: useQuery, useMutation and useSubscription.
      """
  )

  @OptionGroup var input: GenerationInput

  @Option(help: "The output file.", completion: .file(extensions: ["ts"]))
  var output: String

  @Option(help: "Also writes React hooks, to this file.", completion: .file(extensions: ["ts"]))
  var react: String?

  @Option(help: "The TypeScript type of a scalar in JSON, such as DateTime=string. Can be repeated.")
  var scalar: [String] = []

  func run() throws { try input.run(generate) }

  private func generate() throws {
    var options = GenerationOptions()
    options.typescriptScalars.merge(try GenerationInput.scalars(scalar)) { $1 }
    options.documentID = input.documentID
    let text = try input.generate { schema, documents throws(GenerationError) in
      try TypeScriptGenerator.generate(schema: schema, documents: documents, options: options)
    }
    try Self.write(text, to: output)
    print("The client is in \(output).")
    input.reportManifest()
    guard let react else { return }
    try Self.write(TypeScriptGenerator.reactHooks(importing: Self.module(output, from: react)), to: react)
    print("The React hooks are in \(react).")
  }

  private static func write(_ text: String, to path: String) throws {
    do {
      try text.writeIfChanged(to: URL(fileURLWithPath: path))
    } catch {
      throw CommandError("The client cannot be written to \(path).")
    }
  }

  /// The specifier by which the file `importer` imports the module in the file `path`, such as `../api/hearth.js`.
  private static func module(_ path: String, from importer: String) -> String {
    let target = URL(fileURLWithPath: path).standardizedFileURL.deletingPathExtension().pathComponents
    let folder = URL(fileURLWithPath: importer).standardizedFileURL.deletingLastPathComponent().pathComponents
    let shared = zip(target, folder).prefix { $0 == $1 }.count
    let up = folder.count == shared ? ["."] : Array(repeating: "..", count: folder.count - shared)
    return (up + target.dropFirst(shared)).joined(separator: "/") + ".js"
  }
}
