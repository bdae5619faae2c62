import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("Mail after an outage", .timeLimit(.minutes(5)))
struct MailRetryTests {
  /// A folder that cannot be created until the one that contains it exists.
  private struct Outbox {
    let place: TemporaryDirectory
    var path: String { place.path + "/mounted/outbox" }

    init() throws { place = try TemporaryDirectory() }

    func mount() throws {
      try FileManager.default.createDirectory(atPath: place.path + "/mounted", withIntermediateDirectories: false)
    }

    func mails() async throws -> [ReceivedMail] {
      let files = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".eml") }.sorted()
      return try await ReceivedMail.read(files.map { "\(path)/\($0)" })
    }
  }

  private func retry(_ words: String..., on server: TestServer) async throws -> String {
    let result = try await Program(["mail", "retry"] + words + ["--data", server.directory.path]).result()
    try #require(result.status == 0, "\(words): \(result.errors)")
    await server.deliverMail()
    return result.output
  }

  /// The numbers of mails that wait, and that have failed.
  private func queued(_ server: TestServer) throws -> [Int64] {
    try server.rows("SELECT count(due_at), count(failed_at) FROM mail", columns: 2)[0]
  }

  @Test func `a mail that is older than the days of attempts is sent by the command`() async throws {
    let outbox = try Outbox()
    try await TestServer.run(configure: { $0.mail = .folder(outbox.path) }) { server in
      _ = try await Household(on: server)
      await server.deliverMail()
      // The last attempt is at the end of the fifth day, and the next would be an hour later.
      for _ in 0..<12 {
        server.clock.advance(seconds: 36_000)
        await server.deliverMail()
      }
      server.clock.advance(seconds: 1_800)
      await server.deliverMail()
      #expect(try queued(server) == [1, 0])
      // Its days of attempts begin again.
      #expect(try await retry(on: server) == "1 mail is sent now.\n")
      #expect(try queued(server) == [1, 0])
      try outbox.mount()
      #expect(try await retry(on: server) == "1 mail is sent now.\n")
      #expect(try await outbox.mails().map(\.subject) == ["Confirm your e-mail address"])
      #expect(try queued(server) == [0, 0])
    }
  }

  @Test func `after a day without the mail server, mails are sent within an hour of its return`() async throws {
    let outbox = try Outbox()
    try await TestServer.run(configure: { $0.mail = .folder(outbox.path) }) { server in
      _ = try await Household(on: server)
      for _ in 0..<24 {
        await server.deliverMail()
        server.clock.advance(seconds: 3_600)
      }
      await server.deliverMail()
      try outbox.mount()
      server.clock.advance(seconds: 3_600)
      await server.deliverMail()
      #expect(try await outbox.mails().count == 1)
    }
  }

  @Test func `a mail that was given up has failed, and is sent by the command`() async throws {
    let outbox = try Outbox()
    try await TestServer.run(configure: { $0.mail = .folder(outbox.path) }) { server in
      _ = try await Household(on: server)
      await server.deliverMail()
      server.clock.advance(days: 6)
      await server.deliverMail()
      #expect(try queued(server) == [0, 1])
      let metrics = try PrometheusMetrics(try await server.http.get("/metrics").text)
      #expect(metrics["hearth_mails", ["state": "failed"]] == 1)
      try outbox.mount()
      #expect(try await retry(on: server) == "0 mails are sent now.\n")
      #expect(try await retry("--failed", on: server) == "1 mail is sent now.\n")
      #expect(try await outbox.mails().count == 1)
      #expect(try queued(server) == [0, 0])
    }
  }

  @Test func `a server that was down for days sends its mails`() async throws {
    let (directory, outbox) = (try TemporaryDirectory(), try Outbox())
    try await TestServer.run(in: directory, configure: { $0.mail = .folder(outbox.path) }) { server in
      _ = try await Household(on: server)
      await server.deliverMail()
      #expect(try queued(server) == [1, 0])
    }
    try await TestServer.run(in: directory, startingLater: 6 * 86_400) { server async throws in
      #expect(try await server.mails().map(\.subject) == ["Confirm your e-mail address"])
      #expect(try queued(server) == [0, 0])
    }
  }

  @Test func `an invitation whose mail was sent by the command is not mailed again when it is repeated`() async throws {
    let outbox = try Outbox()
    try await TestServer.run(configure: { $0.mail = .folder(outbox.path) }) { server in
      let ada = try await Household("Ada Lovelace", on: server)
      let input: Value = ["email": "grace@example.com", "offer": ["WORK"]]
      let request = try await ada.parent.perform(Documents.inviteContact, input)["contactRequest.id"]
      await server.deliverMail()
      server.clock.advance(days: 6)
      await server.deliverMail()
      #expect(try queued(server) == [0, 2])
      try outbox.mount()
      #expect(try await retry("--failed", on: server) == "2 mails are sent now.\n")
      let inviter = try await ada.signedInAgain(on: server)
      for _ in 0..<2 {
        let repeated = try await inviter.parent.perform(Documents.inviteContact, input)
        #expect(repeated.userErrors == [] && repeated["contactRequest.id"] == request)
        await server.deliverMail()
      }
      #expect(try await outbox.mails().count { $0.to.contains("grace@example.com") } == 1)
    }
  }

  @Test func `mails to reset a password that are sent again are not charged to their mailbox twice`() async throws {
    let outbox = try Outbox()
    try await TestServer.run(configure: { $0.mail = .folder(outbox.path) }) { server in
      _ = try await Household(on: server)
      for _ in 0..<3 { _ = try await server.visitor.perform(Documents.requestReset, ["email": "ada@example.com"]) }
      await server.deliverMail()
      let numbers = try server.rows("SELECT id FROM mail WHERE kind = 2 ORDER BY id", columns: 1)
      try #require(numbers.count == 3)
      try outbox.mount()
      for number in numbers { #expect(try await retry("\(number[0])", on: server) == "1 mail is sent now.\n") }
      #expect(try await outbox.mails().count { $0.subject.contains("password") } == 3)
    }
  }

  @Test func `a link to reset a password that an operator sends has no limit`() async throws {
    try await TestServer.run { server in
      _ = try await Household(on: server)
      for _ in 0..<5 { _ = try await server.visitor.perform(Documents.requestReset, ["email": "ada@example.com"]) }
      let sent = { try await server.mails().count { $0.subject.contains("password") } }
      #expect(try await sent() == 3)
      let words = ["account", "reset-password", "ada@example.com", "--data", server.directory.path]
      for count in 4...5 {
        let result = try await Program(words).result()
        #expect(result.output == "A link to choose a new password is sent to ada@example.com.\n", "\(result.errors)")
        #expect(try await sent() == count)
      }
      let token = try await server.mail(to: "ada@example.com", about: "new password").token
      let input: Value = ["token": .string(token), "new": "a fresh password"]
      #expect(try await server.visitor.perform(Documents.reset, input).userErrors == [])
    }
  }
}
