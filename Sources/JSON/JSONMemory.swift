import Bytes

/// The memory of documents that are read one after another, such as the requests of a loop. A request of a few lines
/// takes two allocations less with it.
package struct JSONMemory {
  /// An empty document that is not in use.
  private var spare: JSONDocument?
  /// Documents with more nodes are released with their memory.
  private static let maximumNodes = 256

  package init() {}

  package mutating func read(
    _ text: consuming ArraySlice<UInt8>,
    limits: JSONLimits = JSONLimits()
  ) throws(JSONError) -> JSONDocument {
    guard let document = spare.take() else { return try JSONDocument(text, limits: limits) }
    try document.read(text, within: limits)
    return document
  }

  /// Keeps the memory of a document for the next one, unless something still refers to the document.
  package mutating func keep(_ document: consuming JSONDocument) {
    guard isKnownUniquelyReferenced(&document), document.nodes.count <= Self.maximumNodes else { return }
    document.removeAll()
    spare = consume document
  }
}
