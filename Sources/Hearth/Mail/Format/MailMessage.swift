import HTTP

/// A mail in the Internet Message Format (RFC 5322), with a plain and an HTML part (RFC 2046, section 5.1.4).
struct MailMessage: Sendable {
  /// The same for every attempt to send this mail, and different from that of every other mail.
  let identifier: String
  /// The date in milliseconds since 1970.
  let date: Int64
  let from: Mailbox
  let to: Mailbox
  let content: MailContent
  /// The URL to which a mail program sends a request when the recipient wants no more mails of this kind (RFC 8058).
  var unsubscribe: String?

  /// The lines end with CR LF.
  var bytes: [UInt8] {
    // No line of the content can equal the boundary, because the identifier is not known before the mail is sent.
    let boundary = "=_\(identifier)"
    var head = [
      // Headers give the zone as a number; "GMT" is obsolete (section 4.3).
      "Date: \(HTTPDate(epochSeconds: date / 1000).text.replacing("GMT", with: "+0000"))",
      "From: \(from.headerText)",
      "To: \(to.headerText)",
      "Subject: \(HeaderText.unstructured(content.subject))",
      "Message-ID: <\(identifier)@\(from.domain)>",
      // Keeps automatic responders from answering (RFC 3834).
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      "Content-Type: multipart/alternative;\r\n boundary=\"\(boundary)\"",
    ]
    if let unsubscribe {
      head += ["List-Unsubscribe:\r\n <\(unsubscribe)>", "List-Unsubscribe-Post: List-Unsubscribe=One-Click"]
    }
    let parts = [("plain", content.plain), ("html", content.html)].map { kind, text in
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

  /// Unchanged if 7bit permits it (RFC 2045, section 2.7: ASCII, in lines of at most 998 bytes), so that links in the
  /// file stay readable.
  private static func encoded(_ text: String) -> (encoding: String, text: String) {
    let isPlain = text.utf8.allSatisfy { (0x20...0x7E).contains($0) || $0 == 0x0A }
    guard isPlain, text.split(separator: "\n").allSatisfy({ $0.utf8.count <= 998 }) else {
      return ("quoted-printable", QuotedPrintable.encode(text))
    }
    return ("7bit", text.replacing("\n", with: "\r\n"))
  }
}
