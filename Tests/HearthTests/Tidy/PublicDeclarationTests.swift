import Testing

/// The libraries are for others, who read what their editor shows.
@Suite("Public declarations have documentation")
struct PublicDeclarationTests {
  static let products = ["GraphQLEngine", "GraphQLServer", "HearthClient"]

  /// What implements a protocol: its documentation is that of the requirement.
  private static let requirements = [
    "typealias Element", "typealias Failure", "func makeAsyncIterator(", "mutating func next(",
    "init(from decoder:", "func encode(to encoder:", "var errorDescription:", "var description:",
    "var inputValue:", "init(unicodeScalarLiteral", "init(extendedGraphemeClusterLiteral", "init(stringLiteral",
    "init(integerLiteral", "init(booleanLiteral", "static func <",
  ]

  @Test(arguments: products) func `every public declaration of a library has a comment`(product: String) throws {
    let files = try Checkout.swiftFiles(in: "Sources/\(product)")
    #expect(files.count > 5)
    #expect(files.flatMap(Self.undocumented) == [])
  }

  @Test func `a declaration without a comment is found`() {
    let text = """
      /// A type.
      public struct Known {
        /// A property.
        @inlinable public var known: Int { 1 }
        public var description: String { "" }
        public static func unknown() {}
        // Not documentation.
        @discardableResult
        public mutating func alsoUnknown() -> Int { 1 }
        func internal() {}
      }
      extension Known: Sendable {}
      public typealias Other = Known
      """
    let found = Self.undocumented(in: Checkout.File(path: "a.swift", text: text))
    #expect(
      found == [
        "a.swift:6 public static func unknown() {}", "a.swift:9 public mutating func alsoUnknown() -> Int { 1 }",
        "a.swift:13 public typealias Other = Known",
      ]
    )
  }

  private static func undocumented(in file: Checkout.File) -> [String] {
    let lines = file.lines.map { $0.trimmingPrefix(while: { $0 == " " }) }
    let declaration = /^(?:@\S+ )*public (?!extension |import )(.*)/
    return lines.indices.compactMap { index in
      guard let declared = lines[index].firstMatch(of: declaration)?.1,
        !requirements.contains(where: declared.hasPrefix)
      else { return nil }
      var above = index - 1
      while above >= 0, lines[above].hasPrefix("@") { above -= 1 }
      guard above < 0 || !lines[above].hasPrefix("///") else { return nil }
      return "\(file.path):\(index + 1) \(lines[index])"
    }
  }
}
