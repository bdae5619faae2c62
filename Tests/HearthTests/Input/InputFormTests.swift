import Basics
import Foundation
import GraphQL
import TestSupport
import Testing

@testable import Hearth

@Suite("The text of an input object")
struct InputFormTests {
  private static func form(_ text: String) -> InputForm {
    InputForm(.object([InputField(name: "name", value: .string(text))]), at: ["input"])
  }

  @Test(arguments: [
    ("Feed the dog", "Feed the dog"), ("~", "~"), ("!", "!"), (" Feed the dog\t", "Feed the dog"),
    ("\u{A0}Émile\u{2003}", "Émile"), ("E\u{301}mile", "\u{C9}mile"), ("a  b", "a  b"),
  ])
  func `a line is trimmed and in NFC`(given: String, expected: String) {
    var form = Self.form(given)
    let line = form.line("name", subject: "A name")
    #expect(line.map { Array($0.utf8) } == Array(expected.utf8))
    #expect(form.errors.isEmpty)
  }

  @Test(arguments: [
    ("", UserError.Code.blank), (" ", .blank), ("\u{200B}", .blank), ("\u{3164}\u{2800}", .blank),
    ("12345678901", .tooLong), ("éééééééééé1", .tooLong), ("a\u{7F}b", .invalid), ("a\nb", .invalid),
    ("a\r\nb", .invalid), ("a\u{0}b", .invalid), ("a\u{85}b", .invalid), ("a\u{202E}b", .invalid),
  ])
  func `other text is rejected`(given: String, code: UserError.Code) {
    var form = Self.form(given)
    let line = form.line("name", subject: "A name", maximum: 10)
    #expect(line == nil)
    #expect(form.errors.map(\.code) == [code])
    #expect(form.errors.map(\.field) == [["input", "name"]])
  }

  @Test(arguments: [
    ("a\u{7F}b", UserError.Reason.controlCharacters), ("a\nb", .controlCharacters),
    ("a\u{202E}b", .invisibleCharacters),
    ("a" + String(repeating: "\u{301}", count: CombiningMarks.maximum + 1), .combiningMarks),
  ])
  func `invalid text is rejected with its reason`(given: String, reason: UserError.Reason) {
    var form = Self.form(given)
    _ = form.line("name", subject: "A name")
    #expect(form.errors.map(\.reason) == [reason])
  }

  @Test(arguments: [("abc", "ab"), ("ab", "ab"), ("aéb", "a"), ("éb", "é"), ("a\u{301}", "a"), ("👪", ""), ("", "")])
  func `a beginning has whole scalars`(text: String, expected: String) {
    #expect(Array(text.prefix(bytes: 2).unicodeScalars) == Array(expected.unicodeScalars))
  }

  @Test func `text of several lines keeps its line breaks`() {
    var form = Self.form("\n one\n\ttwo \n")
    let lines = form.lines("name", subject: "A note")
    #expect(lines == "one\n\ttwo")
  }

  @Test(arguments: ["one\r\ntwo\r\n\r\nthree", "one\rtwo\r\rthree", "\r\none\ntwo\n\r\nthree\r"])
  func `line breaks of other systems become line feeds`(given: String) {
    var form = Self.form(given)
    let lines = form.lines("name", subject: "A note", maximum: 14)
    #expect(lines == "one\ntwo\n\nthree")
    #expect(form.errors.isEmpty)
  }

  /// Plain text is not normalized, which must make no difference.
  @Test func `visible ASCII is as it is normalized`() {
    var random = SeededGenerator(seed: 1)
    for _ in 0..<2_000 {
      let scalars = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        Unicode.Scalar(UInt8.random(in: 0x1F...0x7F, using: &random))
      }
      let text = String(String.UnicodeScalarView(scalars))
      let normalized = text.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
      let isAccepted = !normalized.isEmpty && normalized.unicodeScalars.allSatisfy { (0x20...0x7E).contains($0.value) }
      var form = Self.form(text)
      let line = form.line("name", subject: "A name")
      #expect(line == (isAccepted ? normalized : nil), "\(scalars)")
    }
  }
}
