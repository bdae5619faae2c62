/// The words of a statement, in lower case: names, keywords and numbers, also those in texts.
struct SQLWords: Sequence {
  struct Word {
    let text: ArraySlice<UInt8>
    /// Whether a point follows, as after the table of a column.
    let isQualifier: Bool
    /// Whether a parenthesis follows, as after the name of a function.
    let isCall: Bool
    /// Whether it follows AS, as an alias does.
    let followsAs: Bool

    /// Whether the word can name a table: it may also be something else.
    func canName(_ table: [UInt8]) -> Bool { canNameTable && text.elementsEqual(table) }

    var canNameTable: Bool { !isQualifier && !followsAs }
  }

  private let statement: [UInt8]

  init(of statement: String) { self.statement = Array(statement.lowercased().utf8) }

  func makeIterator() -> AnyIterator<Word> {
    var start = 0
    var followsAs = false
    return AnyIterator {
      while start < statement.count, !Self.isPartOfWord(statement[start]) { start += 1 }
      guard start < statement.count else { return nil }
      let end = statement[start...].firstIndex { !Self.isPartOfWord($0) } ?? statement.count
      let next = statement[end...].first
      let nextMark = statement[end...].first { !Self.isSpace($0) }
      let word = Word(
        text: statement[start..<end],
        isQualifier: next == UInt8(ascii: "."),
        isCall: nextMark == UInt8(ascii: "("),
        followsAs: followsAs
      )
      followsAs = word.text.elementsEqual("as".utf8)
      start = end
      return word
    }
  }

  /// Spaces, and quotation marks around a name.
  private static func isSpace(_ byte: UInt8) -> Bool {
    byte <= UInt8(ascii: " ") || byte == UInt8(ascii: "\"")
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...: true
    default: false
    }
  }
}
