import Foundation

@testable import GraphQL

/// A document from `Tests/GraphQLTests/Documents`.
func testDocument(_ name: String) throws -> Source {
  let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Documents")
  return Source(try String(contentsOf: folder.appending(path: name).standardizedFileURL, encoding: .utf8))
}

/// One line for each node, indented by its depth: kind, name, flags, and the text of nodes without children.
func outline(_ document: Document) -> String {
  var lines: [String] = []
  func visit(_ index: NodeIndex, _ depth: Int) {
    let node = document[index]
    var line = String(repeating: " ", count: depth) + "\(node.kind)"
    if node.nameLength > 0 { line += " \(document.name(index))" }
    for (flag, name) in flagNames where node.flags.contains(flag) { line += " \(name)" }
    switch node.kind {
    case .intValue, .floatValue, .nullValue: line += " \(document.text(index))"
    case .stringValue: line += " \(document.text(index))"
    default: break
    }
    lines.append(line)
    for child in document.children(of: index) { visit(child, depth + 1) }
  }
  visit(0, 0)
  return lines.joined(separator: "\n")
}

private let flagNames: [(NodeFlags, String)] = [
  (.mutation, "mutation"), (.subscription, "subscription"), (.block, "block"), (.needsDecoding, "needsDecoding"),
  (.isTrue, "true"), (.repeatable, "repeatable"),
]

/// The first violated invariant of a document, or nil.
func brokenInvariant(_ document: Document) -> String? {
  guard document.nodes.first?.kind == .document, Int(document.nodes[0].subtreeEnd) == document.nodes.count else {
    return "the first node is not the whole document"
  }
  // Each open node, with the end of the text of its children so far.
  var open: [(index: NodeIndex, textEnd: UInt32)] = []
  for index in document.nodes.indices {
    let node = document[index]
    while let last = open.last, Int(document[last.index].subtreeEnd) <= index { open.removeLast() }
    guard node.start <= node.end, Int(node.end) <= document.source.bytes.count else { return "node \(index): its text" }
    guard Int(node.subtreeEnd) > index else { return "node \(index): its subtree" }
    if let parent = open.last {
      let outer = document[parent.index]
      guard node.subtreeEnd <= outer.subtreeEnd else { return "node \(index): outlives its parent" }
      guard node.start >= outer.start, node.end <= outer.end else { return "node \(index): outside its parent's text" }
      guard node.start >= parent.textEnd else { return "node \(index): overlaps its sibling" }
      open[open.count - 1].textEnd = node.end
    }
    if node.nameLength > 0 {
      guard node.nameHash == NameHash.hash(document.name(index)) else { return "node \(index): the hash of its name" }
      // A name is within the text of its node.
      guard node.nameStart >= node.start, node.nameStart + node.nameLength <= node.end else {
        return "node \(index): its name"
      }
    }
    open.append((index, node.start))
  }
  return nil
}

/// The error that a closure throws, or nil.
func failure<Value>(_ body: () throws(GraphQLError) -> Value) -> GraphQLError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error
  }
}
