import Bytes
import Crypto
import Foundation
import JSON

/// A file of documents: a JSON object of documents by name, or a manifest in the form of Apollo's tools, with a list of
/// `operations`. The playground exports saved requests as either.
package enum DocumentManifest {
  package struct Unusable: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
  }

  package static func read(_ path: String) throws -> [(id: String, document: [UInt8])] {
    guard let content = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
      throw Unusable("The manifest \(path) cannot be read.")
    }
    let root: JSONValue
    do {
      root = try JSONDocument(Array(content)).root
    } catch {
      throw Unusable("The manifest \(path) is not JSON: \(error.description)")
    }
    if let operations = root["operations"]?.elements {
      return try operations.map { operation in
        try entry(operation["id"]?.string, document: operation["body"], of: path)
      }
    }
    guard let members = root.members else { throw Unusable("The manifest \(path) is not a JSON object.") }
    return try members.map { try entry($0.key.string, document: $0.value, of: path) }
  }

  /// The SHA-256 of a document, by which requests can name it.
  package static func id(of document: String) -> String {
    SHA256.hash(data: Data(document.utf8)).hexadecimal
  }

  /// A manifest of documents by their ids. Those of several apps, and of several versions of one, can be merged: an id
  /// always stands for the same document.
  package static func text(of documents: [String]) throws -> Data {
    let byID = Dictionary(documents.map { (id(of: $0), $0) }, uniquingKeysWith: { first, _ in first })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(byID) + Data("\n".utf8)
  }

  private static func entry(
    _ id: String?,
    document: JSONValue?,
    of path: String
  ) throws(Unusable) -> (id: String, document: [UInt8]) {
    guard let id, !id.isEmpty, let document = document?.stringBytes else {
      throw Unusable("A document of the manifest \(path) has no name or no text.")
    }
    return (id, Array(document))
  }
}
