import ArgumentParser
import ClientGeneration
import Foundation
import Hearth

/// The schema and the documents that a client is generated from.
struct GenerationInput: ParsableArguments {
  @Option(help: "The file with the schema; by default the schema of this program.", completion: .file())
  var schema: String?

  @Option(
    help: """
      The folder with the .graphql documents, including its subfolders, or a manifest of documents, such as the \
      playground exports.
      """,
    completion: .file()
  )
  var documents: String

  @Flag(help: "Keeps running, and generates again when the schema or a document has changed.")
  var watch = false

  /// Calls `generate`; with `--watch` also after each change, until the program is ended. An invalid document is
  /// reported and does not end it.
  func run(_ generate: () throws -> Void) throws {
    guard watch else { return try generate() }
    var known: [String: FileVersion]?
    while true {
      let current = versions
      if current != known {
        known = current
        do {
          try generate()
        } catch {
          // The errors of documents have been written by `generate(_:)`.
          let message = error is ExitCode ? "" : Self.fullMessage(for: error) + "\n"
          FileHandle.standardError.write(Data(message.utf8))
        }
        fflush(nil)
      }
      Thread.sleep(forTimeInterval: Self.secondsBetweenLooks)
    }
  }

  private static let secondsBetweenLooks = 0.25

  /// What differs when a file has been written.
  private struct FileVersion: Equatable {
    let date: Date?
    let bytes: Int?
  }

  /// The files from which the client is generated.
  private var versions: [String: FileVersion] {
    let folder = URL(fileURLWithPath: documents, isDirectory: true)
    let sources = isManifest ? [documents] : documentNames.map { folder.appendingPathComponent($0).path }
    let paths = sources + (schema.map { [$0] } ?? [])
    return Dictionary(
      paths.map { path in
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return (
          path,
          FileVersion(date: attributes?[.modificationDate] as? Date, bytes: attributes?[.size] as? Int)
        )
      },
      uniquingKeysWith: { first, _ in first }
    )
  }

  private var isManifest: Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: documents, isDirectory: &isFolder) && !isFolder.boolValue
  }

  private var documentNames: [String] {
    (FileManager.default.enumerator(atPath: documents)?.compactMap { $0 as? String } ?? [])
      .filter { $0.hasSuffix(".graphql") }
  }

  /// Generates from the schema and the documents. Their errors go to the standard error, one on a line.
  func generate<Result>(
    _ body: (_ schema: String, _ documents: [(name: String, text: String)]) throws(GenerationError) -> Result
  ) throws -> Result {
    let schemaText = try schema.map(read) ?? String(decoding: HearthSchema.sdl, as: UTF8.self)
    let texts = try readDocuments()
    do {
      return try body(schemaText, texts)
    } catch {
      FileHandle.standardError.write(Data((error.description + "\n").utf8))
      throw ExitCode.failure
    }
  }

  /// The values of `--scalar`.
  static func scalars(_ pairs: [String]) throws -> [String: String] {
    var scalars: [String: String] = [:]
    for pair in pairs {
      let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { throw ValidationError("--scalar must have the form Name=Type, not \(pair)") }
      scalars[parts[0]] = parts[1]
    }
    return scalars
  }

  private func readDocuments() throws -> [(name: String, text: String)] {
    if isManifest { return try readManifest() }
    let folder = URL(fileURLWithPath: documents, isDirectory: true)
    let paths = documentNames
    guard !paths.isEmpty else {
      let exists = FileManager.default.fileExists(atPath: documents)
      throw CommandError(
        exists ? "The folder \(documents) contains no .graphql files." : "The folder \(documents) does not exist."
      )
    }
    return try paths.sorted().map { ($0, try read(folder.appendingPathComponent($0).path)) }
  }

  private func readManifest() throws -> [(name: String, text: String)] {
    do {
      let found = try DocumentManifest.read(documents)
      guard !found.isEmpty else { throw CommandError("The manifest \(documents) contains no documents.") }
      return found.map { id, document in
        (id, SavedDocument.named(String(decoding: document, as: UTF8.self), after: id))
      }
    } catch let unusable as DocumentManifest.Unusable {
      throw CommandError(unusable.description)
    }
  }

  private func read(_ path: String) throws -> String {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw CommandError("\(path) cannot be read as text.")
    }
    return text
  }
}
