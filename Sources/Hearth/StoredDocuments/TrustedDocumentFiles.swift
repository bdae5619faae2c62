import Foundation
import GraphQL
import GraphQLTransport

/// The trusted documents of `HEARTH_TRUSTED_DOCUMENTS`, read when the server starts. The server does not start if one
/// of them is invalid for the schema, because requests with it would be rejected.
///
/// In a folder each document is a file: `screens/Dashboard.graphql` is named `screens/Dashboard`. A `DocumentManifest`
/// has them in one file. Each document can be requested by its name and by its SHA-256.
enum TrustedDocumentFiles {
  typealias Unusable = DocumentManifest.Unusable

  static func read(
    _ path: String,
    executable: ExecutableSchema,
    limits: RequestLimits
  ) throws -> TrustedDocuments {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Unusable("There are no trusted documents at \(path).")
    }
    let found = try isFolder.boolValue ? documents(inFolder: path) : DocumentManifest.read(path)
    guard !found.isEmpty else { throw Unusable("There are no trusted documents in \(path).") }
    var trusted = TrustedDocuments()
    for (id, document) in found {
      if let fault = TrustedDocuments.faults(in: document, executable, limits: limits).first {
        let location = fault.locations.first.map { " (line \($0.line), column \($0.column))" } ?? ""
        throw Unusable("The trusted document \(id) of \(path) is invalid: \(fault.message)\(location)")
      }
      guard trusted.insert(document, as: id) else {
        throw Unusable("Two trusted documents of \(path) are named \(id).")
      }
    }
    return trusted
  }

  private static func documents(inFolder path: String) throws -> [(id: String, document: [UInt8])] {
    let names = FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []
    return try names.filter { $0.hasSuffix(".graphql") }.sorted().map { name in
      let id = String(name.dropLast(".graphql".count))
      guard let content = try? Data(contentsOf: URL(fileURLWithPath: path + "/" + name)) else {
        throw Unusable("The trusted document \(id) of \(path) cannot be read.")
      }
      return (id, Array(content))
    }
  }
}
