import Foundation
import Testing

/// A Markdown document whose fenced blocks and tables are checked by tests.
struct Document: Sendable {
  struct Block: Sendable {
    /// The text after the opening fence.
    let language: String
    let text: String
    /// Where it opens.
    let line: Int
    /// Why it is not run, from a comment `<!-- not run: … -->` on the line above it.
    let reasonNotToRun: String?
    /// The file that it is an excerpt of, from a comment `<!-- from: … -->` on the line above it.
    let source: String?
  }

  /// The documents whose commands and queries are executed.
  static let paths = [
    "README.md", "Documentation/operating.md", "Documentation/front-end.md", "Documentation/tutorial.md",
    "Documentation/caching.md", "Documentation/testing.md", "Documentation/troubleshooting.md", "Documentation/web.md",
  ]

  let path: String
  let lines: [String]
  let blocks: [Block]

  init(_ path: String) throws {
    self.path = path
    let text = try String(contentsOf: Checkout.root.appendingPathComponent(path), encoding: .utf8)
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var blocks: [Block] = []
    var opening: Int?
    for (index, line) in lines.enumerated() where line.hasPrefix("```") {
      guard let start = opening else {
        opening = index
        continue
      }
      let above = start > 0 ? lines[start - 1] : ""
      blocks.append(
        Block(
          language: String(lines[start].dropFirst(3)),
          text: lines[(start + 1)..<index].joined(separator: "\n"),
          line: start + 1,
          reasonNotToRun: above.wholeMatch(of: /<!-- not run: (.+) -->/).map { String($0.1) },
          source: above.wholeMatch(of: /<!-- from: (.+) -->/).map { String($0.1) }
        )
      )
      opening = nil
    }
    try #require(opening == nil, "\(path): a block is not closed")
    self.blocks = blocks
  }

  func block(_ language: String) throws -> Block {
    try #require(blocks.first { $0.language == language }, "\(path) has no block of \(language)")
  }

  /// The rows of the table under a heading, each by its cells, without the head.
  func table(under heading: String) throws -> [[String]] {
    let start = try #require(
      lines.firstIndex { $0.hasPrefix("#") && $0.hasSuffix(" \(heading)") },
      "\(path): \(heading)"
    )
    let rows = lines[(start + 1)...].prefix { !$0.hasPrefix("#") }.filter { $0.hasPrefix("|") }
    return rows.dropFirst(2).map { row in
      row.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingCharacters(in: .whitespaces) }
    }
  }

  /// Writes the file with other rows in the table under a heading.
  func replaceTable(under heading: String, with rows: [[String]]) throws {
    let start = try #require(lines.firstIndex { $0.hasPrefix("#") && $0.hasSuffix(" \(heading)") })
    let first = try #require(lines[start...].firstIndex { $0.hasPrefix("|") }) + 2
    let end = lines[first...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
    let written = rows.map { "| \($0.joined(separator: " | ")) |" }
    let text = (lines[..<first] + written + lines[end...]).joined(separator: "\n")
    try Data(text.utf8).write(to: Checkout.root.appendingPathComponent(path))
  }

  /// The code in a table cell.
  static func code(in cell: String) -> [String] { cell.matches(of: /`([^`]+)`/).map { String($0.1) } }
}

extension String {
  /// Whether a text equals the documented one, in which `…` matches anything.
  func isAsStated(_ stated: String) -> Bool {
    let parts = stated.split(separator: "…", omittingEmptySubsequences: false)
    guard parts.count > 1, let first = parts.first, let last = parts.last else { return self == stated }
    guard hasPrefix(first), hasSuffix(last), utf8.count >= first.utf8.count + last.utf8.count else { return false }
    var rest = dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}

extension Value {
  /// Whether this is what a document states: texts may have `…` in them, and a text that is nothing else stands for any
  /// value.
  func isAsStated(_ stated: Value) -> Bool {
    switch (self, stated) {
    case (_, "…"): true
    case (.string(let text), .string(let stated)): text.isAsStated(stated)
    case (.array(let items), .array(let stated)):
      items.count == stated.count && zip(items, stated).allSatisfy { $0.isAsStated($1) }
    case (.object(let members), .object(let stated)):
      members.count == stated.count
        && members.allSatisfy { name, value in stated[name].map { value.isAsStated($0) } ?? false }
    default: self == stated
    }
  }
}
