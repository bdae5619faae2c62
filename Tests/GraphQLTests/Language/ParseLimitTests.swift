import Foundation
import Testing

@testable import GraphQL

/// The limits on documents. Every parse here runs on a stack of 512 KB, the smallest of an event loop's threads.
@Suite("Limits of parsing")
struct ParseLimitTests {
  static let unlimited = ParseOptions(tokens: .max, documentBytes: .max)

  @Test(arguments: [
    "{", "{a", "{a{", "{...", "{...on A{", "[", "(", "\"", "\"\"\"", "#", ",", "!", "@", "@a", "@a(", "...", "..", "$",
    "{a(b:[", "{a(b:{c:", "{a(b:", "query($a:[", "query Q(", "type A{b:[", "type A{b(c:D=[", "fragment a on b",
    "extend ",
    "\\", "-", "0", "1", "1e", "\u{FEFF}", "\u{0}", "a", "a ", "_", "é", "{a", "enum E{", "union U=|", "union U=A|",
    "directive@a on|", "type A implements&", "input I{a:{",
  ])
  func `reject a megabyte of any repeated text`(unit: String) async {
    let bytes = Array(String(repeating: unit, count: (1 << 20) / unit.utf8.count).utf8)
    let (limited, unlimited) = await onSmallStack {
      (
        failure { () throws(GraphQLError) in try Parser.parse(Source(bytes)) },
        failure { () throws(GraphQLError) in try Parser.parse(Source(bytes), options: Self.unlimited) }
      )
    }
    #expect(limited?.code == .documentTooLarge)
    #expect(unlimited?.code == .parseFailed || unlimited?.code == .nestingTooDeep)
  }

  /// The last number of each case is the nesting depth of the prefix.
  @Test(arguments: [
    ("", "{a", "a", "}", 0),
    ("", "{...{a", "", "}}", 0),
    ("{a(b:", "[", "", "]", 1),
    ("{a(b:", "{c:", "1", "}", 1),
    ("query($a:", "[", "A", "]", 0),
    ("query($a:A=", "[", "", "]", 0),
    ("type A{b:", "[", "A!", "]!", 0),
  ])
  func `reject deeper nesting`(
    prefix: String,
    opening: String,
    innermost: String,
    closing: String,
    already: Int
  ) async {
    let step = opening == "{...{a" ? 2 : 1
    let suffix = ["{a(b:": ")}", "query($a:": "){a}", "query($a:A=": "){a}", "type A{b:": "}"][prefix, default: ""]
    let document = { (levels: Int) in
      let count = (levels - already) / step
      return Source(
        prefix + String(repeating: opening, count: count) + innermost + String(repeating: closing, count: count)
          + suffix
      )
    }
    let sources = [document(64), document(64 + step)]
    let errors = await onSmallStack {
      sources.map { source in failure { () throws(GraphQLError) in try Parser.parse(source) } }
    }
    #expect(errors[0] == nil)
    #expect(errors[1]?.code == .nestingTooDeep)
    #expect(errors[1]?.message == "Syntax Error: Document is nested deeper than 64 levels. Parsing aborted.")
  }

  @Test func `are exact`() throws {
    let source = Source("{ a { b(c: [1]) } }")
    let tokens = 13
    for (options, code) in [
      (ParseOptions(tokens: tokens), nil),
      (ParseOptions(tokens: tokens - 1), ErrorCode.tooManyTokens),
      (ParseOptions(documentBytes: source.bytes.count), nil),
      (ParseOptions(documentBytes: source.bytes.count - 1), .documentTooLarge),
      (ParseOptions(depth: 3), nil),
      (ParseOptions(depth: 2), .nestingTooDeep),
    ] {
      #expect(failure { () throws(GraphQLError) in try Parser.parse(source, options: options) }?.code == code)
    }
  }

  @Test(arguments: [("{ a }", 3), (#"{ a(b: "c") }"#, 8)])
  func `count every token except the end of the file`(text: String, count: Int) {
    for limit in [count, count - 1] {
      let error = failure { () throws(GraphQLError) in
        try Parser.parse(Source(text), options: ParseOptions(tokens: limit))
      }
      let isOver = limit < count
      #expect((error?.code == .tooManyTokens) == isOver)
      let message = "Syntax Error: Document contains more than \(limit) tokens. Parsing aborted."
      #expect(error?.message == (isOver ? message : nil))
    }
  }

  @Test func `report the location of the first token beyond the limit`() {
    let error = failure { () throws(GraphQLError) in
      try Parser.parse(Source("{\n  a b }"), options: ParseOptions(tokens: 2))
    }
    #expect(error?.message == "Syntax Error: Document contains more than 2 tokens. Parsing aborted.")
    #expect(error?.locations == [SourceLocation(line: 2, column: 5)])
  }
}

/// Runs a closure on a thread with a stack of 512 KB.
private func onSmallStack<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    let thread = Thread { continuation.resume(returning: body()) }
    thread.stackSize = 512 * 1024
    thread.start()
  }
}
