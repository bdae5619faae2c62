import Foundation

/// Text in the header of a mail. The result can neither end a line nor begin another header.
enum HeaderText {
  /// Short ASCII text is unchanged. Other text becomes encoded words (RFC 2047).
  static func unstructured(_ text: String) -> String {
    isPlain(text) && text.utf8.count <= 60 ? text : encodedWords(text)
  }

  /// The display name of an address: a quoted string (RFC 5322, section 3.2.4) or encoded words.
  static func phrase(_ text: String) -> String {
    guard isPlain(text), text.utf8.count <= 60 else { return encodedWords(text) }
    return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private static func isPlain(_ text: String) -> Bool {
    text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.contains("=?")
  }

  /// Each word has at most 75 characters (RFC 2047, section 2), contains whole characters (section 5), and is on a line
  /// of its own.
  private static func encodedWords(_ text: String) -> String {
    // 39 bytes are 52 characters in base 64, and 64 with the delimiters: the first word follows the header's name.
    let maximumBytes = 39
    var words: [[UInt8]] = []
    var word: [UInt8] = []
    for scalar in text.unicodeScalars {
      let bytes = Array(String(scalar).utf8)
      if word.count + bytes.count > maximumBytes {
        words.append(word)
        word = []
      }
      word += bytes
    }
    if !word.isEmpty { words.append(word) }
    return words.map { "=?utf-8?B?\(Data($0).base64EncodedString())?=" }.joined(separator: "\r\n ")
  }
}
