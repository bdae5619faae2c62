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

  @Option(
    help: """
      Also writes a manifest for HEARTH_TRUSTED_DOCUMENTS to this file. It has all documents of the client, which then \
      sends their ids instead.
      """,
    completion: .file(extensions: ["json"])
  )
  var manifest: String?

  func validate() throws {
    let files = [manifest, documents].map { URL(fileURLWithPath: $0 ?? "").standardizedFileURL }
    guard manifest != nil, files[0] == files[1] else { return }
    throw ValidationError("--manifest must not be the file of --documents.")
  }

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
          if !(error is ExitCode) { StandardError.print(Self.fullMessage(for: error)) }
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

  /// Generates from the schema and the documents. Their errors go to the standard error, one on a line, and so do
  /// warnings of what is deprecated.
  ///
  /// - Parameter body: Generates the client.
  func generate<Result>(
    _ body: (_ schema: String, _ documents: [(name: String, text: String)]) throws(GenerationError) -> Result
  ) throws -> Result {
    let schemaText = try schema.map(readSchema) ?? String(decoding: HearthSchema.sdl, as: UTF8.self)
    let texts = try readDocuments()
    let result: Result
    let sent: [String]
    let warnings: [String]
    do {
      result = try body(schemaText, texts)
      sent = try manifest == nil ? [] : SentDocuments.texts(of: texts, schema: schemaText, own: [.renewal])
      warnings = try DeprecatedUses.warnings(of: texts, schema: schemaText)
    } catch {
      StandardError.print(error.description)
      throw ExitCode.failure
    }
    for warning in warnings { StandardError.print(warning) }
    try writeManifest(of: sent)
    return result
  }

  private func writeManifest(of sent: [String]) throws {
    guard let manifest else { return }
    let url = URL(fileURLWithPath: manifest)
    do {
      try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try DocumentManifest.text(of: sent).write(to: url, options: .atomic)
    } catch {
      throw CommandError("The manifest cannot be written to \(manifest).")
    }
  }

  func reportManifest() {
    if let manifest { print("The documents that it sends are in \(manifest).") }
  }

  /// The id by which the client requests a document, if there is a manifest.
  var documentID: (@Sendable (_ text: String) -> String)? {
    guard manifest != nil else { return nil }
    return { DocumentManifest.id(of: $0) }
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
    if isManifest {
      guard !documents.hasSuffix(".graphql") else {
        throw CommandError("--documents takes a folder of .graphql documents or a manifest (.json), not one document.")
      }
      return try readManifest()
    }
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
      return SavedDocument.named(
        found.map { ($0.id, String(decoding: $0.document, as: UTF8.self)) },
        spelling: { $0.applyingTransform(Self.latin, reverse: false) ?? $0 }
      )
    } catch let unusable as DocumentManifest.Unusable {
      throw CommandError(unusable.description)
    }
  }

  /// From any script to ASCII letters, as far as it has letters: `Größe` to `Grosse`, `Привет` to `Privet`.
  private static let latin = StringTransform("Any-Latin; Latin-ASCII")

  private func readSchema(_ path: String) throws -> String {
    guard !path.hasPrefix("http://"), !path.hasPrefix("https://") else {
      throw CommandError(
        "--schema takes a file: download it with `curl -o schema.graphql URL`. "
          + "The URL ends with /graphql/schema.graphql."
      )
    }
    let text = try read(path)
    // No definition of a schema begins with a brace, and each response of an introspection query does.
    guard text.first(where: { !$0.isWhitespace }) != "{" else {
      throw CommandError("--schema takes SDL, and \(path) is JSON: write SDL with `hearth schema > schema.graphql`.")
    }
    return text
  }

  private func read(_ path: String) throws -> String {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw CommandError("\(path) cannot be read as text.")
    }
    return text
  }
}
