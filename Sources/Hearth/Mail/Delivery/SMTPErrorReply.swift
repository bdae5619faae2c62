/// The reply of an SMTP server that reports an error, such as "550 5.7.1 Relaying denied".
struct SMTPErrorReply: Sendable {
  /// Without the end of the line.
  let line: String
  /// The code, and the enhanced code if there is one (RFC 3463), such as "550 (5.7.1)".
  let codes: String

  /// Nil if the reply is not an error.
  ///
  /// - Parameter code: that of the line.
  init?(_ line: String, code: Int) {
    guard (400...599).contains(code) else { return nil }
    self.line = String(line.prefix { !$0.isNewline })
    let enhanced = self.line.dropFirst(4).prefix { $0 != " " }
    let numbers = enhanced.split(separator: ".", omittingEmptySubsequences: false)
    let isEnhanced = numbers.count == 3 && numbers.allSatisfy { (1...3).contains($0.count) && UInt16($0) != nil }
    codes = isEnhanced ? "\(code) (\(enhanced))" : "\(code)"
  }
}
