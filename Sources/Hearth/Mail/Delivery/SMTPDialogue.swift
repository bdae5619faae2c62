/// The commands to an SMTP server and its replies, line by line: what libcurl's result does not distinguish.
struct SMTPDialogue: Sendable {
  /// What the server replies to.
  private enum Step {
    case hello, sender, recipient, data, content, other
  }

  /// Whether the server accepts addresses with other characters than ASCII (RFC 6531).
  private(set) var acceptsUTF8 = false
  /// Whether the server has rejected the mail so that a retry cannot succeed.
  private(set) var isRejected = false
  /// Whether the end of the connection was announced. The outcome is certain then.
  private(set) var isEnding = false
  /// The last reply before QUIT, if it is an error. Of a reply with several lines, the last one.
  private(set) var error: SMTPErrorReply?
  private var step = Step.other

  /// Whether the server rejected an address, or was waiting for one, when the connection ended.
  var endedAtAddress: Bool { step == .sender || step == .recipient }

  mutating func send(_ line: String) {
    switch line.prefix(4).uppercased() {
    case "EHLO": step = .hello
    case "MAIL": step = .sender
    case "RCPT": step = .recipient
    case "DATA": step = .data
    case "QUIT": isEnding = true
    default: step = .other
    }
  }

  mutating func receive(_ line: String) {
    guard !isEnding, let code = Int(line.prefix(3)) else { return }
    error = SMTPErrorReply(line, code: code)
    let text = line.dropFirst(4)
    switch step {
    case .hello: if text.uppercased().hasPrefix("SMTPUTF8") { acceptsUTF8 = true }
    case .recipient:
      // The mailbox does not exist (RFC 5321, section 4.2.2). 552 is for a full one (section 4.5.3.1.10), and 5.7 for a
      // policy (RFC 3463), such as that of a relay that does not know this server yet: an operator can correct that.
      isRejected = [550, 551, 553].contains(code) && !text.hasPrefix("5.7.")
    case .data: if code == 354 { step = .content }
    case .content: isRejected = (500...599).contains(code)
    case .sender, .other: break
    }
  }
}
