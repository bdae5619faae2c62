import Basics
import Glibc

extension ServerSetting {
  /// The text of a variable, and the values that it can be parsed as.
  struct Given {
    let variable: String
    /// Nil if the variable is not set.
    let textOrEmpty: String?

    /// Nil if the variable is empty or not set.
    var text: String? { textOrEmpty.flatMap { $0.isEmpty ? nil : $0 } }

    /// The comma-separated values.
    var list: [String]? {
      text?.split(separator: ",").map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
    }

    func number<Number: FixedWidthInteger>(in range: ClosedRange<Number>) throws(InvalidSetting) -> Number? {
      guard let text else { return nil }
      guard let number = Number(text), range.contains(number) else {
        throw invalid("must be a number from \(range.lowerBound) to \(range.upperBound).")
      }
      return number
    }

    func url() throws(InvalidSetting) -> WebURL? {
      guard let text else { return nil }
      guard let url = WebURL(text) else {
        throw invalid("must begin with https://, or with http:// for this machine.")
      }
      return url
    }

    /// A URL that those of pages and pictures begin with. A slash at its end is left out.
    ///
    /// - Parameter example: a valid URL, for the error message.
    func urlOfPages(like example: String) throws(InvalidSetting) -> String? {
      guard let text else { return nil }
      guard text.wholeMatch(of: /https?:\/\/[^\s\/?#"<>]+(\/[^\s?#"<>]*)?/) != nil else {
        throw invalid("must be like \(example), without \"?\" and \"#\".")
      }
      return text.hasSuffix("/") ? String(text.dropLast()) : text
    }

    /// The bytes of the file that a setting names.
    func content(ofFile path: String) throws(InvalidSetting) -> [UInt8] {
      let file = open(path, O_RDONLY | O_CLOEXEC)
      defer { if file >= 0 { close(file) } }
      guard file >= 0, let bytes = FileCalls.readAll(file) else {
        throw invalid("names \(path), which cannot be read: \(FileCalls.reason).")
      }
      return bytes
    }

    /// - Parameter rule: what the text must be, as the predicate of a sentence.
    func invalid(_ rule: String) -> InvalidSetting { InvalidSetting("\(variable) \(rule)") }
  }
}

extension ServerSetting {
  /// Parses the number of a variable that is not part of the configuration.
  package static func number(
    _ variable: String,
    in range: ClosedRange<Int>,
    of variables: [String: String]
  ) throws(InvalidSetting) -> Int? {
    try Given(variable: variable, textOrEmpty: variables[variable]).number(in: range)
  }
}
