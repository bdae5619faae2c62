import Foundation
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("Mail")
struct MailTests {
  @Test func `C3: adding a child sends a mail to the parent who did it`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      try await ada.verifyEmail(on: server)
      _ = try await ada.addChild("Mia", username: "mia")
      let rejected = try await ada.parent.perform(Documents.addChild, C3AddChildTests.input("mia"))
      #expect(rejected.userErrors == ["input.username TAKEN"])
      let mails = try await server.mails()
      #expect(mails.map(\.subject) == ["Confirm your e-mail address", "Mia was added to your family"])
      let mail = try #require(mails.last)
      #expect(mail.to == "Ada Lovelace <ada@example.com>")
      #expect(mail.from == "Hearth <hearth@localhost>")
      #expect(mail.plain.contains("\n  mia\n") && mail.html.contains("<code>mia</code>"))
    }
  }

  @Test func `the name and username of a child are in no mail to an address that is not verified`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let child = try await ada.addChild("Wilhelmina", username: "zebra17")
      await server.deliverMail()
      #expect(try await ada.deleteChild(child).userErrors == [])
      let mails = try await server.mails().dropFirst()
      #expect(mails.map(\.subject) == ["A child was added to your family", "A child was deleted from your family"])
      for mail in mails {
        #expect(mail.to == "Ada Lovelace <ada@example.com>")
        for text in [mail.plain, mail.html] { #expect(!text.contains("Wilhelmina") && !text.contains("zebra17")) }
      }
      try await ada.verifyEmail(on: server)
      _ = try await ada.parent.perform(Documents.restoreChild, ["id": .string(child)])
      #expect(try await ada.deleteChild(child).userErrors == [])
      #expect(try await server.mails().last?.subject == "Wilhelmina was deleted from your family")
    }
  }

  @Test func `the parents of a removal are named in no mail to an address that is not verified`() async throws {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 30 * 86_400 }) { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await ada.admit(grace, on: server)
      server.clock.advance(seconds: 25 * 3_600)
      #expect(try await ada.requestRemoval(of: grace).userErrors == [])
      let toStranger = try await server.mail(to: ada.email, about: "to be removed")
      for text in [toStranger.plain, toStranger.html] {
        #expect(!text.contains("Grace") && !text.contains("Lovelace"))
        #expect(text.contains("A parent has asked to remove a parent from your family"))
        #expect(text.contains("29 November 2026"))
      }
      let toGrace = try await server.mail(to: grace.email, about: "to be removed")
      #expect(toGrace.plain.contains("Ada Lovelace has asked to remove Grace Hopper from your family"))
    }
  }

  @Test(arguments: [
    "Zoë Müller", "Ли Бо", "李白", "👩‍👩‍👧‍👦 Family", "A \"quoted\" \\ name, with <brackets>", "=?utf-8?B?QQ==?=",
    "a.b@c; d", String(repeating: "n", count: 100), String(repeating: "ё", count: 100), "e\u{301}lodie <\u{301}b>",
  ])
  func `names arrive as they are, and are only text`(name: String) async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server, name: name)
      try await ada.verifyEmail(on: server)
      _ = try await ada.addChild(name)
      let mail = try await server.mail(to: "ada@example.com", about: "was added")
      let name = InputForm.normalized(name)
      #expect(mail.subject == "\(name) was added to your family")
      #expect(mail.defects == [])
      #expect(mail.plain.contains("\n\(name) is part of your family now.\n"))
      #expect(mail.html.contains("<p>\(MailContent.escaped(name)) is part of your family now.</p>"))
      #expect(mail.to.hasSuffix("<ada@example.com>"))
      let names = mail.headers.map { $0.prefix { $0 != ":" } }
      #expect(
        names == [
          "Date", "From", "To", "Subject", "Message-ID", "Auto-Submitted", "MIME-Version", "Content-Type",
        ]
      )
      let file = try #require(try server.mailFiles().last)
      let lines = try String(contentsOfFile: file, encoding: .utf8).components(separatedBy: "\r\n")
      #expect(lines.prefix { !$0.isEmpty }.allSatisfy { $0.utf8.count <= 78 })
      #expect(lines.allSatisfy { !$0.contains("\n") && $0.utf8.allSatisfy { $0 < 0x7F } })
      if name.utf8.allSatisfy({ $0 < 0x80 }) { #expect(lines.contains("\(name) is part of your family now.")) }
    }
  }

  @Test func `what ends a line cannot get into a header`() {
    for text in ["a\r\nBcc: b@example.com", "a\nb", "a\rb", "\u{0}", "a\r\n b", "\u{2028}", "a\u{85}b"] {
      for header in [HeaderText.unstructured(text), HeaderText.phrase(text)] {
        #expect(header.replacing("\r\n ", with: "").utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(header)")
      }
    }
  }

  @Test func `long lines, their ends and odd characters survive quoted-printable`() async throws {
    let text = [
      "", " ", "ends with a space ", "=3D", "tab\tin it\t", String(repeating: "x", count: 75),
      String(repeating: "x", count: 76), String(repeating: "x", count: 77), String(repeating: "=", count: 200),
      String(repeating: "é", count: 200), ".", "..", "From here",
    ].joined(separator: "\n")
    let directory = try TemporaryDirectory()
    let message = MailMessage(
      identifier: "0123456789abcdef",
      date: 1_795_248_000_000,
      from: Mailbox(name: "Hearth", address: "hearth@example.com"),
      to: Mailbox(name: nil, address: "ada@example.com"),
      content: MailContent(subject: "Odd text", paragraphs: [.text(text)])
    )
    try OutboxFolder(path: directory.path).send(message, sequence: 7)
    let file = directory.path + "/000000007-01234567.eml"
    let mail = try #require(try await ReceivedMail.read([file]).first)
    #expect(mail.plain.hasPrefix(text))
    #expect(mail.defects == [])
    #expect(mail.headers.first == "Date: Sat, 21 Nov 2026 08:00:00 +0000")
    #expect(mail.headers.contains("Message-ID: <0123456789abcdef@example.com>"))
  }

  @Test func `a mail that does not fit on the disk is not in the outbox, and the failure names its file`() throws {
    let directory = try TemporaryDirectory()
    let message = MailMessage(
      identifier: "0123456789abcdef",
      date: 1_795_248_000_000,
      from: Mailbox(name: "Hearth", address: "hearth@example.com"),
      to: Mailbox(name: nil, address: "ada@example.com"),
      content: MailContent(subject: "Full", paragraphs: [.text("Hello")])
    )
    let name = "000000007-01234567"
    try FileManager.default.createSymbolicLink(
      atPath: "\(directory.path)/.\(name).tmp",
      withDestinationPath: "/dev/full"
    )
    let failure = #expect(throws: MailFailure.self) {
      try OutboxFolder(path: directory.path).send(message, sequence: 7)
    }
    #expect(failure?.description == "Cannot write \(directory.path)/\(name).eml: No space left on device.")
    #expect(!FileManager.default.fileExists(atPath: "\(directory.path)/\(name).eml"))
  }

  @Test func `links contain the public address, whatever the Host header`() async throws {
    try await TestServer.run(configure: { $0.publicURL = "https://hearth.example/app" }) { server in
      _ = try await Household(on: server)
      let body = Value.object([
        "query": .string(Documents.requestReset), "variables": ["email": "ada@example.com"],
      ])
      let answer = try await server.http.send(
        "POST",
        "http://evil.example/graphql",
        headers: [("Content-Type", "application/json")],
        body: Array(body.text.utf8)
      )
      #expect(answer.json["data.requestPasswordReset.requested"] == true)
      let mail = try await server.mail(to: "ada@example.com", about: "new password")
      #expect(mail.plain.contains("https://hearth.example/app/reset-password?token=\(try mail.token)"))
      #expect(!mail.plain.contains("evil") && !mail.html.contains("evil"))
    }
  }

  @Test func `no secret is in the database, nor in a file but the mails`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mia = try await ada.addChild("Mia")
      let code = try await ada.parent.ask(Documents.signInCode, ["id": .string(mia)])
      _ = try await server.visitor.perform(Documents.requestReset, ["email": "ada@example.com"])
      let secrets = [
        try await server.mail(to: "ada@example.com", about: "Confirm").token,
        try await server.mail(to: "ada@example.com", about: "new password").token,
        try #require(code["data.family.child.signInCode.token"].string),
      ]
      #expect(try await DataWalk(of: server.directory.path, words: secrets, keys: []).locations == [])
      // What is there is found.
      let address = try await DataWalk(of: server.directory.path, words: ["ada@example.com"], keys: [])
      #expect(address.locations.contains("account.email"))
    }
  }

  @Test func `a mail that is not sent keeps no address that a visitor has typed`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      for email in ["unknown@example.com", "ada@example.com"] {
        _ = try await server.visitor.perform(Documents.requestReset, ["email": .string(email)])
      }
      #expect(try await server.mails().count == 2)
      let mails = try server.rows(
        "SELECT address IS NOT NULL, sent_at IS NOT NULL FROM mail WHERE kind = 2 ORDER BY id",
        columns: 2
      )
      #expect(mails == [[0, 0], [1, 1]])
    }
  }

  @Test func `what could not be sent is sent later, after delays that grow, also after a restart`() async throws {
    let directory = try TemporaryDirectory()
    // A file where the folder should be.
    let folder = directory.path + "/mails"
    try Data().write(to: URL(fileURLWithPath: folder))
    try await TestServer.run(in: directory, configure: { $0.mail = .folder(folder) }) { server in
      _ = try await Household(on: server)
      await server.deliverMail()
      #expect(try Self.attempts(server) == [1])
      await server.deliverMail()
      #expect(try Self.attempts(server) == [1])
      for (seconds, attempts) in [(60, 2), (60, 2), (60, 3), (239, 3), (1, 4)] as [(Int64, Int64)] {
        server.clock.advance(seconds: seconds)
        await server.deliverMail()
        #expect(try Self.attempts(server) == [attempts])
      }
    }
    try FileManager.default.removeItem(atPath: folder)
    try await TestServer.run(in: directory, configure: { $0.mail = .folder(folder) }) { server in
      server.clock.advance(days: 1)
      await server.deliverMail()
      let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(files.count == 1)
      #expect(try Self.attempts(server) == [])
      server.clock.advance(days: 2)
      await server.deliverMail()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == files)
    }
  }

  @Test func `a mail that could not be sent for days is given up`() async throws {
    let directory = try TemporaryDirectory()
    let folder = directory.path + "/mails"
    try Data().write(to: URL(fileURLWithPath: folder))
    try await TestServer.run(in: directory, configure: { $0.mail = .folder(folder) }) { server in
      _ = try await Household(on: server)
      await server.deliverMail()
      for _ in 0..<6 {
        #expect(try Self.attempts(server).count == 1)
        server.clock.advance(days: 1)
        await server.deliverMail()
      }
      #expect(try Self.attempts(server) == [])
    }
  }

  /// How often each mail that waits was tried.
  private static func attempts(_ server: TestServer) throws -> [Int64] {
    let reader = try server.reader()
    defer { reader.endRead() }
    var attempts: [Int64] = []
    try reader.statement(StatementText("SELECT attempts FROM mail WHERE due_at IS NOT NULL")).forEachRow { row in
      attempts.append(row.int64(0))
    }
    return attempts
  }
}
