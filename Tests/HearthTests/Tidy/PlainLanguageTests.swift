import Foundation
import Testing

/// Comments, messages, test names, the schema and the documents use the terms of the field. This table keeps phrases
/// out that readers had to decode; its right column is what to write instead.
@Suite("The text is plain English")
struct PlainLanguageTests {
  static let banned: [(phrase: String, plain: String)] = [
    ("that is none", "that is not one; invalid"),
    ("which is none", "which is not one; invalid"),
    ("as good as none", "invalid"),
    ("has told", "has sent; shared"),
    ("is told", "receives; is notified; gets an error"),
    ("are told", "receive; are notified; get an error"),
    ("were told", "received; were notified"),
    ("told by", "reported by; reported as"),
    ("told apart", "distinguished"),
    ("says back", "echoes"),
    ("said back", "echoed"),
    ("whoever", "a caller who; callers who"),
    ("who asks", "the caller"),
    ("who has asked", "the caller"),
    ("lets go", "releases"),
    ("let go of", "released"),
    ("are no more", "have ended; are deleted"),
    ("to be had", "available"),
    ("has it that", "states that"),
    ("for the asking", "on request"),
    ("gives back", "returns; releases"),
    ("given back", "returned; released"),
    ("is refused", "is rejected"),
    ("are refused", "are rejected"),
    ("was refused", "was rejected"),
    ("refuses", "rejects"),
    ("come again", "reconnect; retry"),
    ("comes again", "reconnects; repeats"),
    ("gone on with", "resumed"),
    ("what became of", "the outcome of"),
    ("what becomes of", "the outcome of"),
    ("what came of", "the result of"),
    ("from where on", "from which position"),
    ("makes of it", "the result"),
    ("beneath", "below; within"),
    ("made to be dear", "designed to be expensive"),
    ("input of strangers", "untrusted input"),
    ("lie about what", "ignore (fsync)"),
    ("it ends to", "it stops"),
    ("who is there", "the subscribers"),
    ("the house's", "the project's"),
    ("holds up", "blocks; delays"),
    ("anew", "again; the prefix re-"),
    ("amid", "during"),
    ("for ever", "without end; forever"),
    ("meets its like", "violates a unique constraint"),
    ("without a word", "silently"),
    ("had better", "should"),
    ("may take its time", "has no time limit"),
    ("left off", "stopped; disconnected"),
    ("mend the program", "fix the request"),
    ("a little of everything", "a smoke test"),
    ("you have hearth from", "from which you got Hearth"),
    ("to them never", "never … to them"),
  ]

  /// The text of a released migration cannot change: every database stores its checksum.
  private static let released = ["Migration007.swift", "Migration008.swift"]

  @Test func `no banned phrase is left`() throws {
    let phrases = Self.banned.map { (Array($0.phrase.utf8), $0) }
    var files = 0
    for path in try Self.paths() where !Self.released.contains(where: path.hasSuffix) {
      let bytes = Array(try Data(contentsOf: Checkout.root.appendingPathComponent(path)))
      let text = Prose(bytes)
      files += 1
      for (phrase, entry) in phrases {
        for line in text.lines(with: phrase) {
          Issue.record("\(path):\(line): “\(entry.phrase)”; instead: \(entry.plain)")
        }
      }
    }
    #expect(files > 500)
  }

  @Test func `a phrase is found across lines of a comment, and only as whole words`() {
    let prose = Prose(Array("let a = 1\n  /// One that\n  /// IS none.\n  // gotold by\n".utf8))
    #expect(prose.lines(with: Array("that is none".utf8)) == [2])
    #expect(prose.lines(with: Array("told by".utf8)) == [])
  }

  /// All text files of the repository, except vendored ones, data, and the table above.
  private static func paths() throws -> [String] {
    let roots = ["Sources", "Tests", "Scripts", "Benchmarks", "Documentation", "Examples", "Packaging"]
    let types: Set = [
      "swift", "js", "ts", "html", "css", "c", "h", "cpp", "py", "lua", "sh", "md", "graphql", "yml", "toml", "",
    ]
    let left = [
      "/amalgamation/", "/sqlite3.h", "/codemirror", "/Corpus/", "/passwords/", "/.build/", "/node_modules/",
      "/PlainLanguageTests.swift",
    ]
    let found = roots.flatMap { root in
      (FileManager.default.enumerator(atPath: Checkout.root.appendingPathComponent(root).path)?
        .compactMap { $0 as? String } ?? []).map { "\(root)/\($0)" }
    }
    let all =
      found + [
        "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "architecture.md", "schema.graphql",
        "Package.swift",
      ]
    return all.sorted().filter { path in
      guard types.contains((path as NSString).pathExtension), !left.contains(where: path.contains) else { return false }
      var isFolder: ObjCBool = false
      let full = Checkout.root.appendingPathComponent(path).path
      return FileManager.default.fileExists(atPath: full, isDirectory: &isFolder) && !isFolder.boolValue
    }
  }
}

/// Text in lower case whose line ends, and the comment markers after them, are single spaces.
private struct Prose {
  private var bytes: [UInt8] = []
  /// The offset at which each line begins.
  private var lineStarts = [0]

  init(_ source: [UInt8]) {
    bytes.reserveCapacity(source.count)
    var isAtStart = true
    for byte in source {
      switch byte {
      case 0x0A:
        if bytes.last != 0x20 { bytes.append(0x20) }
        lineStarts.append(bytes.count)
        isAtStart = true
      case 0x20 where isAtStart, 0x2F where isAtStart, 0x2A where isAtStart, 0x23 where isAtStart: break
      default:
        isAtStart = false
        bytes.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte)
      }
    }
  }

  /// The numbers of the lines in which `phrase` begins.
  func lines(with phrase: [UInt8]) -> [Int] {
    let (text, phrase) = (Data(bytes), Data(phrase))
    var lines: [Int] = []
    var from = 0
    while let match = text.range(of: phrase, in: from..<text.count) {
      from = match.lowerBound + 1
      let (start, end) = (match.lowerBound, match.upperBound)
      if (start == 0 || !Self.isWord(text[start - 1])) && (end == text.count || !Self.isWord(text[end])) {
        lines.append((lineStarts.lastIndex { $0 <= start } ?? 0) + 1)
      }
    }
    return lines
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x5F || byte >= 0x80
  }
}
