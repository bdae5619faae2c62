import HTTP

/// A mail in the form in which it travels: RFC 5322, with a plain and an HTML part (RFC 2046, section 5.1.4).
struct Message: Sendable {
  /// The same whenever the mail is sent, and no other mail's.
  let identifier: String
  /// In milliseconds.
  let date: Int64
  let from: Mailbox
  let to: Mailbox
  let letter: Letter

  /// Lines end with CR LF.
  var bytes: [UInt8] {
    // No line of a letter is one: nobody knows the identifier before the mail is sent.
    let boundary = "=_\(identifier)"
    let domain = from.address.split(separator: "@").last.map(String.init) ?? "localhost"
    let head = [
      // Headers say the zone as a number; "GMT" is the form of old (section 4.3).
      "Date: \(HTTPDate(epochSeconds: date / 1000).text.replacing("GMT", with: "+0000"))",
      "From: \(from.headerText)",
      "To: \(to.headerText)",
      "Subject: \(HeaderText.unstructured(letter.subject))",
      "Message-ID: <\(identifier)@\(domain)>",
      // So that machines do not answer (RFC 3834).
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      "Content-Type: multipart/alternative;\r\n boundary=\"\(boundary)\"",
    ]
    let parts = [("plain", letter.plain), ("html", letter.html)].map { kind, text in
      let body = Self.encoded(text)
      return """
        --\(boundary)\r
        Content-Type: text/\(kind); charset=utf-8\r
        Content-Transfer-Encoding: \(body.encoding)\r
        \r
        \(body.text)\r

        """
    }
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + parts.joined() + "--\(boundary)--\r\n").utf8)
  }

  /// As it is where it may travel so (RFC 2045, section 2.7: ASCII, in lines of at most 998), which leaves links whole
  /// for whoever looks at the file.
  private static func encoded(_ text: String) -> (encoding: String, text: String) {
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A }
    guard isPlain, text.split(separator: "\n").allSatisfy({ $0.utf8.count <= 998 }) else {
      return ("quoted-printable", QuotedPrintable.encode(text))
    }
    return ("7bit", text.replacing("\n", with: "\r\n"))
  }
}
