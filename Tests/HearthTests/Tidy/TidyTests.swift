import Foundation
import Testing

/// The project's rules for source text.
@Suite("The sources are tidy")
struct TidyTests {
  /// The layers, bottom up: a file may import targets of earlier lines, and other packages.
  static let layers: [[String]] = [
    [
      "CLibUV", "CSQLite", "CQRCode", "CCurl", "CDeflate", "CPlayground", "CPhoneNumber", "CFileStatus", "CAllocator",
      "CPostgreSQL", "CPictureScaling", "CGatheredLog",
    ],
    ["CAssets"],
    ["Basics", "Bytes", "Pictures", "HearthClient"],
    ["Playground", "JSON", "EventLoop", "HTTP", "PostgreSQL"],
    ["Assets", "Storage"],
    ["WebSocket"],
    ["HTTPServer", "GraphQL"],
    ["GraphQLTransport", "ClientGeneration", "GraphQLEngine"],
    ["Hearth", "GraphQLServer"],
    ["HearthCommand", "WebSocketEcho"],
  ]

  /// Foundation costs 8 MB and 4 ms at startup: only the product and the clients may import it.
  static let withoutFoundation = [
    "Basics", "Bytes", "Playground", "Assets", "JSON", "EventLoop", "HTTP", "WebSocket", "HTTPServer", "Storage",
    "PostgreSQL", "GraphQL",
    "GraphQLTransport", "GraphQLEngine", "GraphQLServer",
    "Pictures",
    "ClientGeneration",
  ]

  private func sources() throws -> [Checkout.File] { try Self.files.get() }
  /// Read once: every test goes through all of them.
  private static let files = Result { try Checkout.swiftFiles(in: "Sources") }

  @Test func `every target has its layer`() throws {
    let targets = Set(try sources().map(\.target))
    #expect(targets.subtracting(Self.layers.joined()) == [])
    #expect(targets.count > 8)
  }

  @Test func `imports point downwards`() throws {
    var level: [String: Int] = [:]
    for (number, targets) in Self.layers.enumerated() { for target in targets { level[target] = number } }
    for file in try sources() {
      for imported in imports(of: file) {
        if imported == "Foundation" {
          #expect(!Self.withoutFoundation.contains(file.target), "\(file.path)")
        }
        guard let below = level[imported], let own = level[file.target] else { continue }
        #expect(below < own, "\(file.path) imports \(imported)")
      }
    }
  }

  private func imports(of file: Checkout.File) -> [String] {
    // Plain comparisons come before every regular expression here: there are 44,000 lines.
    file.lines.filter { $0.contains("import ") }.compactMap { line in
      line.wholeMatch(
        of: /\s*(?:@\w+(?:\(\w+\))? )*(?:package |public |internal )?import (?:struct |class |enum |func )?(\w+).*/
      )
      .map { String($0.1) }
    }
  }

  @Test func `no file is long`() throws {
    for file in try sources() { #expect(file.lines.count <= 300, "\(file.path): \(file.lines.count) lines") }
  }

  /// The formatter wraps code but not comments: `Scripts/wrap-comments` wraps them.
  @Test func `no comment is wider than code may be`() throws {
    for file in try ["Sources", "Tests", "Benchmarks"].flatMap({ try Checkout.swiftFiles(in: $0) }) {
      // Characters are only counted where the bytes are too many.
      for (number, line) in file.lines.enumerated() where line.utf8.count > 120 && line.count > 120 {
        #expect(!line.drop { $0 == " " }.hasPrefix("//"), "\(file.path):\(number + 1): \(line.count) columns")
      }
    }
  }

  @Test func `untrusted input never causes a trap`() throws {
    for file in try sources() {
      for (number, text) in code(of: file) where text.contains("!") || text.contains("fatalError") {
        let line = text.replacing(/"(?:[^"\\]|\\.)*"/, with: "\"\"")
        for word in ["try!", "fatalError(", " as! "] { #expect(!line.contains(word), "\(file.path):\(number)") }
        let isForced = line.firstMatch(of: /[\w\)\]]!(?:\.|$|\)|,|\[|\s*\/\/)/) != nil
        #expect(!isForced, "\(file.path):\(number): \(line)")
      }
    }
  }

  @Test func `tests start programs without Foundation's Process, which reads past the end of a buffer`() throws {
    for file in try Checkout.swiftFiles(in: "Tests") where !file.path.hasSuffix("Tidy/TidyTests.swift") {
      for line in file.lines { #expect(!line.contains(/\bProcess\(\)/), "\(file.path): \(line)") }
    }
  }

  @Test func `the reason for @unchecked is on the line above it`() throws {
    for file in try sources() {
      for (number, line) in code(of: file) where line.contains("@unchecked") {
        let above = file.lines.prefix(number - 1).last ?? ""
        #expect(above.drop { $0 == " " }.hasPrefix("//"), "\(file.path):\(number)")
      }
    }
  }

  /// The lines without comments, numbered from 1. Multiline strings are left out.
  private func code(of file: Checkout.File) -> [(number: Int, text: Substring)] {
    // The end of the current string literal: as many `#` as at its beginning.
    var end: String?
    var code: [(number: Int, text: Substring)] = []
    for (index, line) in file.lines.enumerated() {
      let bare = line.drop { $0 == " " }
      if let closing = end {
        if bare.hasPrefix(closing) { end = nil }
        continue
      }
      if line.hasSuffix("\"\"\""), let opening = line.firstMatch(of: /(#*)"""$/) { end = "\"\"\"" + opening.1 }
      if bare.hasPrefix("//") { continue }
      code.append((index + 1, line))
    }
    return code
  }

  @Test func `the tests' README lists the variables of the environment that they read`() throws {
    let readme = try String(contentsOf: Checkout.root.appendingPathComponent("Tests/README.md"), encoding: .utf8)
    var names: Set<String> = []
    for file in try Checkout.swiftFiles(in: "Tests") {
      for line in file.lines where line.contains("nvironment[\"HEARTH_") {
        guard file.name == "TestOptions.swift" || line.contains("processInfo") else { continue }
        for match in line.matches(of: /environment\["(HEARTH_\w+)"\]/) { names.insert(String(match.1)) }
      }
    }
    #expect(names.count > 5)
    #expect(names.filter { !readme.contains("`\($0)") } == [])
  }

  @Test func `a file of one type bears its name`() throws {
    for file in try sources() {
      let types = file.lines.filter { $0.first?.isLetter == true || $0.first == "@" }.compactMap { line in
        line.firstMatch(
          of:
            /^(?:@\w+(?:\([^)]*\))? )*(?:package |public |final |indirect )*(?:struct|enum|class|actor|protocol|typealias) (\w+)/
        ).map { String($0.1) }
      }
      guard types.count == 1 else { continue }
      let stem = String(file.name.dropLast(".swift".count).prefix { $0 != "+" })
      #expect(types.first == stem, "\(file.path) has the type \(types.first ?? "")")
    }
  }
}
