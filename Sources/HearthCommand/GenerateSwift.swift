import ArgumentParser
import ClientGeneration
import Foundation
import Hearth

struct GenerateSwift: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "swift",
    abstract: "Generates Swift types for operations.",
    discussion: """
      The types conform to the protocols of the package HearthClient. Files in the output folder that were generated \
      before and are no longer are removed; others are left alone.
      """
  )

  @Option(help: "The file with the schema; by default the schema of this program.", completion: .file())
  var schema: String?

  @Option(help: "The folder with the .graphql documents, including its subfolders.", completion: .directory)
  var documents: String

  @Option(help: "The output folder.", completion: .directory)
  var output: String

  @Option(help: "The Swift type of a scalar, such as DateTime=Date. Can be repeated.")
  var scalar: [String] = []

  @Option(help: "The access level of the types: public or internal.")
  var access = GenerationOptions.Access.public

  func run() throws {
    var options = GenerationOptions()
    options.access = access
    for pair in scalar {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw ValidationError("--scalar must have the form Name=Type, not \(pair)") }
      options.scalars[parts[0]] = parts[1]
    }
    let schemaText = try schema.map(read) ?? String(decoding: HearthSchema.sdl, as: UTF8.self)
    let files: [GeneratedFile]
    do {
      files = try SwiftGenerator.generate(schema: schemaText, documents: try readDocuments(), options: options)
    } catch let error as GenerationError {
      FileHandle.standardError.write(Data((error.description + "\n").utf8))
      throw ExitCode.failure
    }
    do {
      try write(files)
    } catch {
      throw CommandError("The files cannot be written to \(output).")
    }
    print("\(files.count) files are in \(output).")
  }

  private func readDocuments() throws -> [(name: String, text: String)] {
    let folder = URL(fileURLWithPath: documents, isDirectory: true)
    let paths = (FileManager.default.enumerator(atPath: documents)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".graphql") }
    guard !paths.isEmpty else {
      let exists = FileManager.default.fileExists(atPath: documents)
      throw CommandError(
        exists ? "The folder \(documents) contains no .graphql files." : "The folder \(documents) does not exist."
      )
    }
    return try paths.sorted().map { ($0, try read(folder.appendingPathComponent($0).path)) }
  }

  private func read(_ path: String) throws -> String {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw CommandError("\(path) cannot be read as text.")
    }
    return text
  }

  /// Writes the files after all are generated. Unchanged files are not touched, so that builds do not recompile them.
  private func write(_ files: [GeneratedFile]) throws {
    let folder = URL(fileURLWithPath: output, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let names = Set(files.map(\.name))
    for name in try FileManager.default.contentsOfDirectory(atPath: output)
    where name.hasSuffix(".swift") && !names.contains(name) {
      let old = folder.appendingPathComponent(name)
      if try String(contentsOf: old, encoding: .utf8).hasPrefix(GeneratedFile.mark) {
        try FileManager.default.removeItem(at: old)
      }
    }
    for file in files {
      let url = folder.appendingPathComponent(file.name)
      if (try? String(contentsOf: url, encoding: .utf8)) == file.text { continue }
      try file.text.write(to: url, atomically: true, encoding: .utf8)
    }
  }
}

extension GenerationOptions.Access: ExpressibleByArgument {}
