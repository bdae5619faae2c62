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
    // No line of quoted-printable text can be one: it has a "=" that is no escape.
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
      """
      --\(boundary)\r
      Content-Type: text/\(kind); charset=utf-8\r
      Content-Transfer-Encoding: quoted-printable\r
      \r
      \(QuotedPrintable.encode(text))\r

      """
    }
    return Array((head.joined(separator: "\r\n") + "\r\n\r\n" + parts.joined() + "--\(boundary)--\r\n").utf8)
  }
}
