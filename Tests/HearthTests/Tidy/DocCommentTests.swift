import Foundation
import Testing

/// Editors and DocC show documentation comments away from the code, so each is a sentence or a noun phrase of its own,
/// and its lists are those that DocC parses.
@Suite("Documentation comments")
struct DocCommentTests {
  /// A comment that begins like this says what something belongs to, and leaves out what it is.
  private static let beginnings = ["Of ", "Those of ", "With which ", "One of them"]

  /// Members of a subgraph's schema, of schemas of examples, and of the standard library.
  private static let otherMembers: Set = ["Query._entities", "Query.book", "Subscription.bookAdded", "Task.yield()"]

  @Test func `the descriptions of parameters are a list that DocC parses`() throws {
    for file in try ["Sources", "Tests", "Benchmarks"].flatMap({ try Checkout.swiftFiles(in: $0) }) {
      #expect(Self.unparsedLists(in: file) == [])
    }
  }

  @Test func `no comment begins with a fragment`() throws {
    for file in try Checkout.swiftFiles(in: "Sources") {
      #expect(Self.fragments(in: file) == [])
    }
  }

  @Test func `a list that DocC does not parse is found`() {
    let text =
      "/// - Parameters:\n/// - host: a name\nfunc a() {}\n  /// - Parameters:\n  ///   - host: a name\n"
      + "  /// - Parameters:\n  func b() {}\n/// - Parameters:"
    let found = Self.unparsedLists(in: Checkout.File(path: "a.swift", text: text))
    #expect(found == ["a.swift:1", "a.swift:6", "a.swift:8"])
  }

  @Test func `a fragment is found at the beginning of a comment only`() {
    let text =
      "/// Of the parameter.\nlet a = 1\n  /// The number of\n  /// Of the list.\n  let b = 1\n  ///   One of them.\n"
      + "  let c = 1\n/// Often.\n// Of the code.\n"
    let found = Self.fragments(in: Checkout.File(path: "a.swift", text: text))
    #expect(found == ["a.swift:1: Of the parameter.", "a.swift:6: One of them."])
  }

  @Test func `a member that a comment names exists`() throws {
    let files = try Checkout.swiftFiles(in: "Sources")
    let pages = try ["architecture.md", "schema.graphql"].map { path in
      let url = Checkout.root.appendingPathComponent(path)
      return Checkout.File(path: path, text: try String(contentsOf: url, encoding: .utf8))
    }
    // Types of the schema have the names of some types of the program.
    let members = Self.members(in: files).merging(Self.fields(of: pages[1])) { $0.union($1) }
    for file in files + [pages[0]] {
      let missing = Self.missingMembers(in: file, members).filter { !Self.otherMembers.contains($0.name) }
      #expect(missing.map(\.location) == [])
    }
  }

  @Test func `a member that does not exist is found`() {
    let text = """
      /// See `A.one`, `A.two`, `Folder/A+Part.three(of:)`, `A.init` and `B.four`.
      struct A { let one: Int }
      extension X.A { func two() {} } // Or `A.five`.
      let none = "`A.six`"
      """
    let file = Checkout.File(path: "a.swift", text: text)
    let found = Self.missingMembers(in: file, Self.members(in: [file]))
    #expect(found.map(\.location) == ["a.swift:1: Folder/A+Part.three(of:)", "a.swift:3: A.five"])
  }

  /// The members of the types that are declared in some files. Those that are only extended there have others.
  private static func members(in files: [Checkout.File]) -> [String: Set<String>] {
    let declarations = files.flatMap { SwiftDeclarations($0).declarations }
    let types = Set(declarations.filter(\.isType).map(\.name))
    return Dictionary(grouping: declarations) { $0.owner ?? "" }.filter { types.contains($0.key) }
      .mapValues { Set($0.map(\.name) + ["init"]) }
  }

  /// The fields and values of a schema's types.
  private static func fields(of schema: Checkout.File) -> [String: Set<String>] {
    var fields: [String: Set<String>] = [:]
    var type = ""
    for line in schema.lines {
      if let found = line.firstMatch(of: /^(?:type|interface|input|enum) (\w+)/) { type = String(found.1) }
      if let found = line.firstMatch(of: /^  (\w+)/) { fields[type, default: []].insert(String(found.1)) }
    }
    return fields
  }

  /// Those that a comment or a page names in backticks, such as `Folder/Type+Part.member(of:)`.
  private static func missingMembers(
    in file: Checkout.File,
    _ members: [String: Set<String>]
  ) -> [(name: String, location: String)] {
    let reference = /`((?:\w+[\/.])*(\w+)(?:\+\w+)?\.(\w+)(?:\([^`]*\))?)`/
    let isPage = !file.path.hasSuffix(".swift")
    var missing: [(name: String, location: String)] = []
    for (index, line) in file.lines.enumerated() {
      let start = isPage ? line.startIndex : line.firstRange(of: "//")?.upperBound ?? line.endIndex
      for found in line[start...].matches(of: reference) {
        guard let known = members[String(found.2)], !known.contains(String(found.3)) else { continue }
        missing.append((name: String(found.1), location: "\(file.path):\(index + 1): \(found.1)"))
      }
    }
    return missing
  }

  private static func unparsedLists(in file: Checkout.File) -> [String] {
    file.lines.indices.filter { index in
      file.lines[index].hasSuffix("/// - Parameters:") && bare(file.lines[index]) == "/// - Parameters:"
        && !(index + 1 < file.lines.count && bare(file.lines[index + 1]).hasPrefix("///   - "))
    }
    .map { "\(file.path):\($0 + 1)" }
  }

  private static func fragments(in file: Checkout.File) -> [String] {
    var found: [String] = []
    var continues = false
    for (index, line) in file.lines.enumerated() {
      let comment = bare(line)
      let isComment = comment.hasPrefix("///")
      defer { continues = isComment }
      guard isComment, !continues else { continue }
      let text = bare(comment.dropFirst(3))
      if beginnings.contains(where: text.hasPrefix) { found.append("\(file.path):\(index + 1): \(text)") }
    }
    return found
  }

  private static func bare(_ line: Substring) -> Substring { line.drop { $0 == " " } }
}
