import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("The link by which invitations stop")
struct StopInvitationsTests {
  private static let document = """
    mutation ($token: String!) { stopInvitations(token: $token) { stopped \(Documents.errors) } }
    """
  private static let stopped = "SELECT count(*) FROM stopped_address"
  private static let form = ("Content-Type", "application/x-www-form-urlencoded")

  /// The token that mails to an address contain.
  private static func token(of address: String, on server: TestServer) -> String {
    StopToken(address: address, key: server.services.keys.identifier).text
  }

  private static func stop(_ address: String, on server: TestServer) async throws {
    let token = Value.string(token(of: address, on: server))
    let outcome = try await server.visitor.perform(document, ["token": token])
    #expect(outcome["stopped"] == true && outcome.userErrors == [])
  }

  /// The addresses of all mails but those about accounts.
  private static func invited(on server: TestServer) async throws -> [String] {
    try await server.mails().filter { $0.subject.contains("invites") || $0.subject.contains("in contact") }.map(\.to)
  }

  @Test func `a link that is used again writes nothing`() async throws {
    try await TestServer.run { server in
      let request: Value = [
        "query": .string(Self.document), "variables": ["token": .string(Self.token(of: "ada@example.com", on: server))],
      ]
      for key in ["one", "two", "three"] {
        let answer = try await server.http.post(request.text, headers: [("Idempotency-Key", key)])
        #expect(answer.json["data.stopInvitations.stopped"] == true, "\(answer.text)")
      }
      // Of the write of the first request. Responses are rows, too.
      #expect(try server.rows("SELECT count(*) FROM idempotent_write WHERE step > 0", columns: 1) == [[1]])
    }
  }

  @Test func `opening it changes nothing, and its button stops the invitations to the mailbox`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let input: Value = ["email": "Grace@example.com", "offer": []]
      #expect(try await ada.parent.perform(Documents.inviteContact, input).userErrors == [])
      let mail = try await server.mail(to: "Grace@example.com", about: "in contact")
      #expect(mail.plain.contains("\n\nNever invite this address again:\nhttp://127.0.0.1:\(server.port)"))
      // Mail programs send requests to HTTPS addresses only.
      #expect(!mail.headers.contains { $0.hasPrefix("List-Unsubscribe") })
      for _ in 0..<2 {
        let page = try await server.http.get(try mail.stopLink, accept: "text/html")
        #expect(page.status == 200 && page.text.contains("<button>Stop invitations</button>"))
        #expect(page.text.contains("<input type=\"hidden\" name=\"token\" value=\"\(try mail.stopToken)\">"))
        #expect(!page.text.contains("Grace"))
      }
      #expect(try server.rows(Self.stopped, columns: 1) == [[0]])
      let body = Array("lang=en&token=\(try mail.stopToken)".utf8)
      for _ in 0..<2 {
        let done = try await server.http.send("POST", "/stop-invitations", headers: [Self.form], body: body)
        #expect(done.status == 200 && done.text.contains("<h1>You will receive no more invitations</h1>"))
        #expect(try server.rows(Self.stopped, columns: 1) == [[1]])
      }
      for email in ["grace+family@example.com", "g.race@example.com"] {
        let outcome = try await ada.parent.perform(Documents.inviteParent, ["email": .string(email)])
        #expect(outcome.userErrors == [])
      }
      // A dot can distinguish two people.
      #expect(try await Self.invited(on: server) == ["Grace@example.com", "g.race@example.com"])
      #expect(
        Self.token(of: "A.da+x@GoogleMail.com", on: server) == Self.token(of: "ada@gmail.com", on: server)
      )
      // Mails to both go to one mailbox.
      #expect(Self.token(of: "z@Bücher.example", on: server) == Self.token(of: "z@xn--bcher-kva.example", on: server))
    }
  }

  @Test(
    arguments: [
      ("application/x-www-form-urlencoded", "List-Unsubscribe=One-Click"),
      (
        "multipart/form-data; boundary=b",
        "--b\r\nContent-Disposition: form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--b--\r\n"
      ),
    ]
  )
  func `a mail program stops them by one request, also where the app has the other pages`(type: String, body: String)
    async throws
  {
    try await TestServer.run(configure: {
      $0.publicURL = "https://hearth.example"
      $0.appURL = "https://nest.example"
    }) { server in
      let ada = try await Household(on: server)
      #expect(try await ada.parent.perform(Documents.inviteParent, ["email": "grace@example.com"]).userErrors == [])
      let mail = try await server.mail(to: "grace@example.com", about: "invites")
      let url = "https://hearth.example\(try mail.stopLink)"
      #expect(mail.plain.contains("https://nest.example/accept-invitation?") && mail.plain.contains("\n\(url)\n"))
      #expect(mail.headers.contains { $0.hasPrefix("List-Unsubscribe: ") && $0.hasSuffix(" <\(url)>") })
      #expect(mail.headers.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click"))
      #expect(mail.defects == [])
      let other = try await server.mail(to: ada.email, about: "Confirm")
      #expect(!other.headers.contains { $0.hasPrefix("List-Unsubscribe") })

      let headers = [("Content-Type", type)]
      let done = try await server.http.send("POST", try mail.stopLink, headers: headers, body: Array(body.utf8))
      #expect(done.status == 200 && done.headers["location"] == nil && done.headers["set-cookie"] == nil)
      #expect(try server.rows(Self.stopped, columns: 1) == [[1]])
    }
  }

  @Test func `the page works where only trusted documents are executed`() async throws {
    try await TestServer.run(configure: {
      $0.appURL = "https://nest.example"
      $0.acceptedDocuments = .trusted
    }) { server in
      let body = Array("token=\(Self.token(of: "grace@example.com", on: server))".utf8)
      let done = try await server.http.send("POST", "/stop-invitations", headers: [Self.form], body: body)
      #expect(done.status == 200, "\(done.text)")
      #expect(try server.rows(Self.stopped, columns: 1) == [[1]])
    }
  }

  @Test func `a token that the server has not made stops nothing`() async throws {
    try await TestServer.run { server in
      let token = Self.token(of: "grace@example.com", on: server)
      let bytes = Array(try #require(Base64URL.decode(token.utf8)))
      let changed = [0, 15, 16, 31].map { index in
        var bytes = bytes
        bytes[index] ^= 1
        return Base64URL.encode(bytes)
      }
      let others = ["", "x", String(token.dropLast()), token + "A", "\(token)\n", String(repeating: "A", count: 43)]
      for forged in changed + others {
        let outcome = try await server.visitor.perform(Self.document, ["token": .string(forged)])
        #expect(outcome["stopped"] == false && outcome.userErrors == ["token NOT_FOUND"], "\(forged)")
      }
      for target in ["/stop-invitations?token=\(changed[0])", "/stop-invitations"] {
        let body = Array("token=\(changed[0])".utf8)
        let page = try await server.http.send("POST", target, headers: [Self.form], body: body)
        #expect(page.status == 400 && page.text.contains("This link or code is not complete."), "\(page.text)")
      }
      #expect(try server.rows(Self.stopped, columns: 1) == [[0]])
    }
  }

  @Test func `a person who invites sees the same as for another address, in the app and in an export`() async throws {
    let directory = try TemporaryDirectory()
    let addresses = ["grace@example.com", "maryk@example.com"]
    let invitations = "{ family { invitations { email status createdAt expiresAt } } }"
    let events = "SELECT count(*) FROM family_event"
    func blind(_ answer: HTTPAnswer, _ address: String) -> String {
      answer.text.replacing(address, with: "").replacing(/"id":"[^"]*"/, with: "")
    }
    var token: String?
    var (end, count) = (Value.null, 0 as Int64)
    try await TestServer.run(in: directory, configure: { $0.delivers = false }) { server in
      let ada = try await Household(on: server)
      token = ada.parent.token
      try await Self.stop(addresses[0], on: server)
      var answers: [String] = []
      for address in addresses {
        let contact: Value = ["email": .string(address), "offer": []]
        let parent: Value = ["email": .string(address)]
        // The second time finds the mail of the first.
        for _ in 0..<2 {
          answers.append(blind(try await ada.parent.post(Documents.inviteContact, contact), address))
        }
        answers.append(blind(try await ada.parent.post(Documents.inviteParent, parent), address))
      }
      #expect(answers.prefix(3) == answers.suffix(3) && answers.allSatisfy { $0.contains("\"userErrors\":[]") })
      end = try await ada.parent.ask(invitations)["data.family.invitations.0.expiresAt"]
      count = try server.rows(events, columns: 1)[0][0]
    }
    // The mails are late, which moves the time when the invitations to the family end.
    try await TestServer.run(in: directory, startingLater: 300) { server in
      let parent = server.visitor.with(token: token)
      #expect(try await Self.invited(on: server) == [addresses[1], addresses[1]])
      let seen = try await parent.ask(invitations)["data.family.invitations"]
      #expect(seen.each("email") == addresses.map(Value.string) && seen["0.expiresAt"] != end, "\(seen)")
      #expect(seen["0"].setting("email", nil) == seen["1"].setting("email", nil), "\(seen)")
      #expect(try server.rows(events, columns: 1) == [[count + 2]])
      let mails = try await ExportTests.read(try await parent.perform(ExportTests.export)).data["mails"].list
      let listed = addresses.map { address in
        mails.filter { $0["address"] == .string(address) }.map { $0.setting("address", nil) }
      }
      #expect(listed[0].count == 2 && listed[0] == listed[1], "\(mails)")
    }
  }

  @Test func `an account that confirms the address can be invited, until its owner stops that`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      for address in ["grace@example.com", "hopper@example.com"] { try await Self.stop(address, on: server) }
      let grace = try await Household(on: server, email: "grace@example.com", name: "Grace Hopper")
      #expect(try server.rows(Self.stopped, columns: 1) == [[2]])
      try await grace.verifyEmail(on: server)
      #expect(try server.rows(Self.stopped, columns: 1) == [[1]])
      let input: Value = ["email": "grace@example.com"]
      #expect(try await ada.parent.perform(Documents.inviteParent, input).userErrors == [])
      #expect(try await Self.invited(on: server) == ["grace@example.com"])

      try await Self.stop("grace@example.com", on: server)
      _ = try await server.visitor.perform(Documents.requestReset, input)
      let mail = try await server.mail(to: grace.email, about: "new password")
      let new: Value = ["token": .string(try mail.token), "new": "a new pass phrase"]
      let reset = try await server.visitor.perform(Documents.reset, new)
      #expect(reset.userErrors == [])
      #expect(try server.rows(Self.stopped, columns: 1) == [[2]])

      let changing = server.visitor.with(token: reset["credentials.accessToken"].string)
      let change: Value = ["email": "hopper@example.com", "password": "a new pass phrase"]
      #expect(try await changing.perform(D14AccountManagementTests.changeEmail, change).userErrors == [])
      let confirmation = try await server.mail(to: "hopper@example.com", about: "new e-mail")
      let confirm = "mutation ($token: String!) { confirmEmailChange(token: $token) { \(Documents.errors) } }"
      let confirmed = try await changing.perform(confirm, ["token": .string(try confirmation.token)])
      #expect(confirmed.userErrors == [])
      #expect(try server.rows(Self.stopped, columns: 1) == [[1]])
    }
  }

  @Test func `a template of an operator gets the link if it has none`() throws {
    let directory = try TemporaryDirectory()
    let own = """
      == contactInvitation
      Subject: Hello

      [Yes]({link})

      == familyInvitation
      Subject: Hello

      [No]({stop})

      [Yes]({link})
      """
    try Data(own.utf8).write(to: URL(filePath: "\(directory.path)/de.txt"))
    let templates = try MailTemplates(folder: directory.path)
    let values: [MailPlaceholder: String] = [.link: "https://a.example", .stop: "https://b.example"]
    #expect(
      templates.content(of: .contactInvitation, values: values, in: .german).plain == """
        Yes:
        https://a.example

        Diese Adresse nie wieder einladen:
        https://b.example

        """
    )
    #expect(
      templates.content(of: .familyInvitation, values: values, in: .german).plain == """
        No:
        https://b.example

        Yes:
        https://a.example

        """
    )
  }
}
