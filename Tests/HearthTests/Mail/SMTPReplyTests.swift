import TestSupport
import Testing

@testable import Hearth

@Suite("The replies of mail servers", .timeLimit(.minutes(5)))
struct SMTPReplyTests {
  private static func send(
    to recipient: String = "zoe@example.com",
    _ smtp: ScriptedSMTPServer
  ) async throws -> MailFailure? {
    try await send(to: recipient, by: SMTPRelay(try #require(SMTPServer("smtp://127.0.0.1:\(smtp.port)"))))
  }

  private static func send(to recipient: String = "zoe@example.com", by relay: SMTPRelay) async throws -> MailFailure? {
    let message = MailMessage(
      identifier: "0123456789abcdef0123456789abcdef",
      date: 1_795_248_000_000,
      from: Mailbox(name: "Hearth", address: "hearth@bücher.example"),
      to: Mailbox(name: "Zoë", address: recipient),
      content: MailContent(subject: "Hello", paragraphs: [.text("Dear Zoë")])
    )
    return try await TestThread { () -> MailFailure? in
      do throws(MailFailure) {
        try relay.send(message, sequence: 1)
        return nil
      } catch {
        return error
      }
    }.value
  }

  @Test(
    arguments: [
      ("MAIL", "550 5.7.1 Sender not allowed", false), ("MAIL", "553 Sender unknown", false),
      ("RCPT", "550 No such user", true), ("RCPT", "550-5.1.1 No such\r\n550 5.1.1 user", true),
      ("RCPT", "553 5.1.3 Not an address", true), ("RCPT", "554 5.7.1 Relay access denied", false),
      ("RCPT", "550 5.7.1 Relaying denied", false), ("RCPT", "552 5.2.2 Mailbox full", false),
      ("RCPT", "504 5.5.2 The host name is not a domain", false), ("DATA", "554 No valid recipients", false),
      (".", "554 Spam", true), (".", "552 Too large", true), (".", "451 Later", false),
    ]
  )
  func `only a reply about the recipient or the content is permanent`(
    command: String,
    reply: String,
    isPermanent: Bool
  ) async throws {
    let failure = try #require(try await Self.send(ScriptedSMTPServer([command: reply])))
    #expect(failure.isPermanent == isPermanent, "\(failure)")
    #expect(failure.description.hasPrefix("The mail server replied with \(reply.prefix(3))"), "\(failure)")
  }

  @Test(
    arguments: [
      ("RCPT", "550-5.1.1 zoe@example.com is\r\n550 5.1.1 unknown", "550 (5.1.1)", "550 5.1.1 unknown"),
      ("MAIL", "451 Later, zoe@example.com", "451", "451 Later, zoe@example.com"),
      (".", "554 5.7.x No", "554", "554 5.7.x No"), (".", "554", "554", "554"),
    ]
  )
  func `the failure has the codes of the reply, and separately its last line, which may contain addresses`(
    command: String,
    reply: String,
    codes: String,
    line: String
  ) async throws {
    let failure = try #require(try await Self.send(ScriptedSMTPServer([command: reply])))
    #expect(failure.description == "The mail server replied with \(codes)")
    #expect(failure.reply == line)
  }

  @Test func `a failure without a reply has the reason of libcurl alone`() async throws {
    let relay = SMTPRelay(try #require(SMTPServer("smtp://127.0.0.1:1")))
    let failure = try #require(try await Self.send(by: relay))
    #expect(!failure.description.contains("SMTP") && failure.reply == nil, "\(failure)")
  }

  @Test(arguments: ["250 OK", "450 Later"])
  func `a server that does not reply to QUIT does not delay other mails`(reply: String) async throws {
    let smtp = try ScriptedSMTPServer(["RCPT": reply, "QUIT": ""])
    try await TestServer.run(configure: { $0.mail = MailDestination("smtp://127.0.0.1:\(smtp.port)") }) { server in
      _ = try await Household(on: server)
      _ = try await Household(on: server, email: "ben@example.com")
      // libcurl waits for two minutes.
      let duration = await ContinuousClock().measure { await server.deliverMail() }
      #expect(duration < .seconds(60))
      #expect(smtp.lines.count { $0 == "QUIT" } == 2)
      let sent = try server.rows("SELECT count(sent_at), count(*) FROM mail", columns: 2)
      #expect(sent == [[reply == "250 OK" ? 2 : 0, 2]])
    }
  }

  @Test func `domains are sent in ASCII, and the sender's is the name of the server`() async throws {
    let smtp = try ScriptedSMTPServer()
    try await TestServer.run(configure: {
      $0.mail = MailDestination("smtp://127.0.0.1:\(smtp.port)")
      $0.mailSender = "hearth@Bücher.example"
    }) { server in
      _ = try await Household(on: server, email: "zoe@münchen.example")
      await server.deliverMail()
      let lines = smtp.lines
      #expect(
        lines.prefix(4) == [
          "EHLO xn--bcher-kva.example", "MAIL FROM:<hearth@xn--bcher-kva.example>",
          "RCPT TO:<zoe@xn--mnchen-3ya.example>", "DATA",
        ]
      )
      #expect(lines.contains("From: \"Hearth\" <hearth@xn--bcher-kva.example>"))
      #expect(lines.contains("To: \"Ada Lovelace\" <zoe@xn--mnchen-3ya.example>"))
      #expect(lines.contains { $0.hasPrefix("Message-ID: <") && $0.hasSuffix("@xn--bcher-kva.example>") })
      #expect(lines.allSatisfy { $0.utf8.allSatisfy { $0 < 0x80 } })
    }
  }

  @Test func `the failure states that a server does not accept addresses that are not ASCII`() async throws {
    for (hello, isNamed) in [("250 localhost", true), ("250-localhost\r\n250 SMTPUTF8", false)] {
      let smtp = try ScriptedSMTPServer(["EHLO": hello, "RCPT": "553 5.6.7 Not ASCII"])
      let failure = try #require(try await Self.send(to: "zoë@example.com", smtp))
      #expect(failure.description.contains("SMTPUTF8") == isNamed && failure.isPermanent, "\(failure)")
    }
  }
}
