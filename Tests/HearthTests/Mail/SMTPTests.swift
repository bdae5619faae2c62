import Glibc
import TestSupport
import Testing

@testable import Hearth

@Suite("Mail by SMTP", .enabled(if: SMTPServerProcess.isAvailable), .timeLimit(.minutes(20)))
struct SMTPTests {
  private static let message = MailMessage(
    identifier: "0123456789abcdef0123456789abcdef",
    date: 1_795_248_000_000,
    from: Mailbox(name: "Hearth", address: "hearth@example.com"),
    to: Mailbox(name: "Zoë Müller", address: "zoe@example.com"),
    content: MailContent(
      subject: "Größe",
      paragraphs: [.text(".\n..\nA line.\n." + String(repeating: "é", count: 20_000))]
    )
  )

  private func send(to url: String, trusting certificate: TemporaryDirectory? = nil) async throws {
    let relay = SMTPRelay(try #require(SMTPServer(url)), authorities: certificate.map { $0.path + "/certificate.pem" })
    try await TestThread { try relay.send(Self.message, sequence: 1) }.value
  }

  @Test func `a registration's mail arrives by way of HEARTH_MAIL`() async throws {
    let smtp = try await SMTPServerProcess()
    try await TestServer.run(configure: {
      $0.mail = MailDestination("smtp://127.0.0.1:\(smtp.port)")
      $0.mailSender = "family@example.org"
    }) { server in
      _ = try await Household(on: server)
      await server.deliverMail()
      let mails = try await smtp.mails()
      #expect(mails.map(\.subject) == ["Confirm your e-mail address"])
      let envelope = try #require(try smtp.envelopes().first)
      #expect(envelope.from == "family@example.org")
      #expect(envelope.to == ["ada@example.com"])
      let token = try #require(mails.first).token
      let outcome = try await server.visitor.perform(Documents.verifyEmail, ["token": .string(token)])
      #expect(outcome.userErrors.isEmpty)
    }
  }

  @Test func `a temporary failure is retried later, once`() async throws {
    let smtp = try await SMTPServerProcess(certificate: nil, "--refuse", "2")
    try await TestServer.run(configure: { $0.mail = MailDestination("smtp://127.0.0.1:\(smtp.port)") }) { server in
      _ = try await Household(on: server)
      for (seconds, count) in [(0, 0), (60, 0), (120, 1), (86_400, 1)] as [(Int64, Int)] {
        server.clock.advance(seconds: seconds)
        await server.deliverMail()
        #expect(try smtp.envelopes().count == count)
      }
    }
  }

  @Test func `a permanent failure is not retried, and other mails are sent`() async throws {
    let smtp = try await SMTPServerProcess(certificate: nil, "--never", "ada@example.com")
    try await TestServer.run(configure: { $0.mail = MailDestination("smtp://127.0.0.1:\(smtp.port)") }) { server in
      _ = try await Household(on: server)
      _ = try await Household(on: server, email: "ben@example.com")
      for seconds in [0, 60, 120, 86_400] as [Int64] {
        server.clock.advance(seconds: seconds)
        await server.deliverMail()
        #expect(try smtp.envelopes().map(\.to) == [["ben@example.com"]])
      }
      let fates = try server.rows(
        "SELECT due_at IS NULL, failed_at IS NOT NULL, sent_at IS NOT NULL FROM mail ORDER BY id",
        columns: 3
      )
      #expect(fates == [[1, 1, 0], [1, 0, 1]])
    }
  }

  @Test(
    arguments: [
      (["--never", "zoe@example.com"], "", true), ([], "Never take this", true), (["--refuse", "1"], "", false),
      (["--user", "me", "--password", "secret"], "", false),
    ]
  )
  func `a response is permanent or temporary`(options: [String], text: String, isPermanent: Bool) async throws {
    let smtp = try await SMTPServerProcess(certificate: nil, options: options)
    let relay = SMTPRelay(try #require(SMTPServer("smtp://127.0.0.1:\(smtp.port)")))
    let message = MailMessage(
      identifier: "0123456789abcdef0123456789abcdef",
      date: 1_795_248_000_000,
      from: Mailbox(name: "Hearth", address: "hearth@example.com"),
      to: Mailbox(name: "Zoë", address: "zoe@example.com"),
      content: MailContent(subject: "Hello", paragraphs: [.text("Dear Zoë"), .text(text)])
    )
    let failure = await #expect(throws: MailFailure.self) {
      try await TestThread { try relay.send(message, sequence: 1) }.value
    }
    #expect(failure?.isPermanent == isPermanent, "\(String(describing: failure))")
  }

  @Test func `a mail arrives byte by byte, without encryption where none is offered`() async throws {
    let smtp = try await SMTPServerProcess()
    try await send(to: "smtp://127.0.0.1:\(smtp.port)")
    let mail = try #require(try await smtp.mails().first)
    #expect(mail.defects == [])
    #expect(mail.subject == "Größe")
    #expect(mail.plain == Self.message.content.plain)
    #expect(try smtp.envelopes().map(\.isEncrypted) == [false])
  }

  @Test func `TLS is used if offered, with any certificate`() async throws {
    let certificate = try await SMTPServerProcess.certificate()
    let smtp = try await SMTPServerProcess(certificate: certificate)
    try await send(to: "smtp://127.0.0.1:\(smtp.port)")
    #expect(try smtp.envelopes().map(\.isEncrypted) == [true])
  }

  @Test func `smtps is encrypted from the first byte, with a trusted certificate`() async throws {
    let certificate = try await SMTPServerProcess.certificate()
    let smtp = try await SMTPServerProcess(certificate: certificate, "--implicit")
    await #expect(throws: MailFailure.self) { try await send(to: "smtps://127.0.0.1:\(smtp.port)") }
    #expect(try smtp.envelopes().isEmpty)
    try await send(to: "smtps://127.0.0.1:\(smtp.port)", trusting: certificate)
    #expect(try smtp.envelopes().map(\.isEncrypted) == [true])
  }

  @Test func `with a password it authenticates, encrypted`() async throws {
    let certificate = try await SMTPServerProcess.certificate()
    let smtp = try await SMTPServerProcess(
      certificate: certificate,
      "--user",
      "me@example.com",
      "--password",
      "a:b/c@d%"
    )
    try await send(to: "smtp://me%40example.com:a%3Ab%2Fc%40d%25@127.0.0.1:\(smtp.port)", trusting: certificate)
    let envelope = try #require(try smtp.envelopes().first)
    #expect(envelope.isEncrypted && envelope.user == "me@example.com")
    await #expect(throws: MailFailure.self) {
      try await send(to: "smtp://me%40example.com:wrong@127.0.0.1:\(smtp.port)", trusting: certificate)
    }
    #expect(try smtp.envelopes().count == 1)
  }

  @Test func `a password is never sent without encryption and a trusted certificate`() async throws {
    let plain = try await SMTPServerProcess(certificate: nil, "--user", "me", "--password", "secret")
    await #expect(throws: MailFailure.self) { try await send(to: "smtp://me:secret@127.0.0.1:\(plain.port)") }
    let certificate = try await SMTPServerProcess.certificate()
    let strange = try await SMTPServerProcess(certificate: certificate, "--user", "me", "--password", "secret")
    let error = await #expect(throws: MailFailure.self) {
      try await send(to: "smtp://me:secret@127.0.0.1:\(strange.port)")
    }
    #expect(error?.description.contains("secret") == false)
    #expect(try plain.envelopes().isEmpty && strange.envelopes().isEmpty)
  }

  @Test func `a transmission is aborted at shutdown`() async throws {
    // It takes the connection and says nothing.
    let silent = try await SilentServer()
    let relay = SMTPRelay(try #require(SMTPServer("smtp://127.0.0.1:\(silent.port)")))
    let sending = TestThread { try relay.send(Self.message, sequence: 1) }
    relay.stop()
    await #expect(throws: MailFailure.self) { try await sending.value }
  }

  @Test(
    arguments: [
      ("smtp://localhost:25", "smtp://localhost:25"), ("smtp://mail.example.com", "smtp://mail.example.com:25"),
      ("smtp://u:p@mail.example.com", "smtp://mail.example.com:587"), ("smtp://u:p@h:2525", "smtp://h:2525"),
      ("smtps://mail.example.com", "smtps://mail.example.com:465"), ("smtps://u:p@h", "smtps://h:465"),
      ("smtps://h:2465", "smtps://h:2465"), ("smtps://h/x", nil), ("http://localhost:25", nil), ("smtp://", nil),
      ("smtp://u@h", nil), ("smtp://h:0", nil), ("smtp://h/x", nil), ("smtp://h?x", nil), ("", nil), ("file:", nil),
    ] as [(String, String?)]
  )
  func `an address of a server is read, and printed without its secrets`(text: String, expected: String?) {
    guard case .server(let server) = MailDestination(text) else {
      #expect(expected == nil)
      return
    }
    #expect(server.url == expected)
    var dumped = ""
    dump(MailDestination.server(server), to: &dumped)
    for printed in ["\(server)", "\(MailDestination.server(server))", String(reflecting: server), dumped] {
      #expect(!printed.contains("p@") && !printed.contains("password"), "\(printed)")
    }
  }
}

@Suite("HEARTH_MAIL", .timeLimit(.minutes(20)))
struct MailConfigurationTests {
  @Test(arguments: ["smtp://me:secret@host/path", "smtp://secret@host", "mailto:secret"])
  func `an unexpected response is reported, without repeating it`(text: String) async throws {
    let directory = try TemporaryDirectory()
    let result = try await Program.run(
      "serve",
      "--port",
      "0",
      "--data",
      directory.path,
      environment: ["HEARTH_MAIL": text]
    )
    #expect(result.status != 0 && !result.wasKilled)
    #expect(result.errors.contains("HEARTH_MAIL"))
    #expect(!result.errors.contains("secret") && !result.output.contains("secret"))
  }
}

/// A server that takes connections and leaves them alone.
private final class SilentServer: Sendable {
  let port: Int
  private let socket: Int32

  init() async throws {
    (socket, port) = try Self.listen()
  }

  deinit { close(socket) }

  private static func listen() throws -> (Int32, Int) {
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16? in
        guard bind(socket, address, length) == 0, Glibc.listen(socket, 8) == 0,
          getsockname(socket, address, &length) == 0
        else { return nil }
        return UInt16(bigEndian: pointer.pointee.sin_port)
      }
    }
    return (socket, Int(try #require(port)))
  }
}
