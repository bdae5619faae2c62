import Testing

/// Editors and DocC show documentation comments away from the code, so each is a sentence or a noun phrase of its own,
/// and its lists are those that DocC parses.
@Suite("Documentation comments")
struct DocCommentTests {
  /// A comment that begins like this says what something belongs to, and leaves out what it is.
  private static let beginnings = ["Of ", "Those of ", "With which ", "One of them"]

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
