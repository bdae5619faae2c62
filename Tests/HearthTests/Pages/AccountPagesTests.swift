import Foundation
import TestSupport
import Testing

@testable import Hearth

@Suite("The pages behind the links in mails")
struct AccountPagesTests {
  /// A form that is sent as a browser without scripts does.
  private static func submit(
    _ page: String,
    _ fields: [(String, String)],
    to server: TestServer,
    from client: HTTPClient? = nil
  ) async throws -> HTTPAnswer {
    let body = fields.map { "\($0)=\(encoded($1))" }.joined(separator: "&")
    let type = ("Content-Type", "application/x-www-form-urlencoded")
    // As browsers do because of the referrer policy.
    let headers = [type, ("Origin", "null"), ("Accept", "text/html,application/xhtml+xml,*/*;q=0.8")]
    let client = client ?? server.http
    return try await client.send("POST", "/\(page)", headers: headers, body: Array(body.utf8))
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  /// The page of the link in a mail, as a program that scans mails opens it.
  private static func open(_ mail: ReceivedMail, on server: TestServer) async throws -> HTTPAnswer {
    let link = try #require(mail.plain.firstMatch(of: /http:\/\/127\.0\.0\.1:\d+(\/[^\s]+)/))
    return try await server.http.get(String(link.1), accept: "text/html")
  }

  @Test func `an address is verified by the button and not by opening the link`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let mail = try await server.mail(to: ada.email, about: "Confirm")
      for _ in 0..<2 {
        let page = try await Self.open(mail, on: server)
        #expect(page.status == 200 && page.text.contains("<button>Confirm the address</button>"))
        #expect(page.text.contains("<input type=\"hidden\" name=\"token\" value=\"\(try mail.token)\">"))
      }
      let verified = "{ viewer { ... on Account { emailVerified } } }"
      #expect(try await ada.parent.ask(verified)["data.viewer.emailVerified"] == false)
      let done = try await Self.submit("verify-email", [("token", try mail.token)], to: server)
      #expect(done.status == 200 && done.text.contains("<h1>Your address is confirmed</h1>"), "\(done.text)")
      #expect(try await ada.parent.ask(verified)["data.viewer.emailVerified"] == true)
      let again = try await Self.submit("verify-email", [("token", try mail.token)], to: server)
      #expect(again.status == 400 && again.text.contains("role=\"alert\""))
      #expect(again.text.contains("It was used already") && again.text.contains("<title>Error: Confirm"))
    }
  }

  @Test(arguments: AccountPage.allCases)
  func `a page reveals nothing and loads nothing`(page: AccountPage) async throws {
    try await TestServer.run { server in
      let secret = "secret-\"><script>alert(1)</script>"
      let target = "/\(page.rawValue)?token=\(Self.encoded(secret))&email=\(Self.encoded(secret))"
      for answer in [
        try await server.http.get(target),
        try await Self.submit(page.rawValue, [("token", secret), ("email", secret), ("name", secret)], to: server),
      ] {
        let policy = try #require(answer.headers["content-security-policy"])
        #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-") && policy.contains("form-action 'self'"))
        #expect(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"))
        #expect(answer.headers["referrer-policy"] == "no-referrer" && answer.headers["cache-control"] == "no-store")
        #expect(answer.headers["x-robots-tag"] == "noindex, nofollow")
        #expect(answer.text.contains("<meta name=\"robots\" content=\"noindex\">"))
        for part in ["<script", " src=", "<link", "@import", "url(", "http:", "https:", " style="] {
          #expect(!answer.text.contains(part), "\(part)")
        }
        // No address on the page contains the token.
        #expect(!answer.text.contains(/(action|href)="[^"]*secret/))
      }
      let head = try await server.http.send("HEAD", target)
      #expect(head.status == 200 && head.body.isEmpty)
    }
  }

  @Test func `a page exists in each language, and each field has a label`() async throws {
    let rows = AccountPage.allCases.flatMap { page in MailLanguage.allCases.map { (page: page, language: $0) } }
    try await TestServer.run(configure: { $0.appName = "Nest & Co" }) { server in
      await checkEach(rows) { row in
        let (page, language) = row
        let path = "/\(page.rawValue)"
        let answer = try await server.http.get("\(path)?lang=\(language.rawValue)")
        #expect(answer.status == 200 && answer.headers["content-language"] == language.rawValue, "\(row)")
        let title = PageTexts.texts(in: language).texts(of: page).title
        #expect(answer.text.contains("<html lang=\"\(language.rawValue)\">"), "\(row)")
        #expect(answer.text.contains("<h1>\(MailContent.escaped(title))</h1>"), "\(row)")
        #expect(answer.text.contains("<title>\(MailContent.escaped(title)) – Nest &amp; Co</title>"), "\(row)")
        let inputs = answer.text.matches(of: /<input id="([A-Za-z]+)"/).map { String($0.1) }
        #expect(!inputs.isEmpty, "\(row)")
        for input in inputs { #expect(answer.text.contains("<label for=\"\(input)\">"), "\(row)") }
        let byBrowser = try await server.http.get(
          path,
          headers: [("Accept-Language", "it, \(language.rawValue)-CH;q=0.9, en")]
        )
        #expect(byBrowser.text == answer.text, "\(row)")
        // Several lines are one list (RFC 9110, section 5.3).
        let lines = [("Accept-Language", "it"), ("Accept-Language", language.rawValue)]
        #expect(try await server.http.get(path, headers: lines).text == answer.text, "\(row)")
        let long = "\(language.rawValue)-CH, \(String(repeating: "x,", count: 15_000))"
        #expect(try await server.http.get(path, headers: [("Accept-Language", long)]).text == answer.text, "\(row)")
        let empty = try await Self.submit(page.rawValue, [("lang", language.rawValue)], to: server)
        let required = MailContent.escaped(PageTexts.texts(in: language).required)
        #expect(empty.status == 400 && empty.text.contains(required), "\(row)")
        #expect(empty.text.matches(of: /aria-invalid="true"/).count == inputs.count, "\(row)")
      }
    }
  }

  @Test func `a browser with other languages gets the server's`() async throws {
    try await TestServer.run(configure: { $0.defaultLanguage = .spanish }) { server in
      for headers in [[("Accept-Language", "it, pt;q=0.9")], []] {
        let answer = try await server.http.get("/verify-email", headers: headers)
        #expect(answer.status == 200 && answer.headers["content-language"] == "es")
      }
    }
  }

  @Test func `a new password ends the sessions, and leaves none of the page`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await server.visitor.perform(Documents.requestReset, ["email": .string(ada.email)])
      let mail = try await server.mail(to: ada.email, about: "new password")
      #expect(try await Self.open(mail, on: server).text.contains("autocomplete=\"new-password\""))
      let token = ("token", try mail.token)
      let other = ("repeatedPassword", "another pass phrase")
      for (password, repeated, text) in [
        (("newPassword", "a new pass phrase"), other, "The two passwords are not the same."),
        (("newPassword", "a1b2c3"), ("repeatedPassword", "a1b2c3"), "This is too short."),
        (("newPassword", "password1"), ("repeatedPassword", "password1"), "This password is easy to guess."),
      ] {
        let page = try await Self.submit("reset-password", [token, password, repeated], to: server)
        #expect(page.status == 400 && page.text.contains(text), "\(page.text)")
        #expect(!page.text.contains(password.1))
      }
      let new = [token, ("newPassword", "a new pass phrase"), ("repeatedPassword", "a new pass phrase")]
      let done = try await Self.submit("reset-password", new, to: server)
      #expect(done.status == 200 && done.text.contains("Your password was changed"), "\(done.text)")
      #expect(try await ada.parent.ask(Documents.whoAmI)["errors.0.extensions.code"] == "TOKEN_REVOKED")
      #expect(try server.rows("SELECT count(*) FROM session", columns: 1) == [[0]])
      let input = A02SignInTests.input(ada.email, "a new pass phrase")
      #expect(try await server.visitor.perform(Documents.signIn, input).userErrors == [])
    }
  }

  @Test func `a changed address is confirmed, also by its code`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let change: Value = ["email": "new@example.com", "password": .string(Household.password)]
      _ = try await ada.parent.perform(D14AccountManagementTests.changeEmail, change)
      let mail = try await server.mail(to: "new@example.com", about: "new e-mail")
      #expect(try await Self.open(mail, on: server).text.contains("Confirm your new e-mail address"))
      let done = try await Self.submit("confirm-email", [("token", " \(try mail.token)\n")], to: server)
      #expect(done.status == 200 && done.text.contains("Your address was changed"), "\(done.text)")
      let email = try await ada.parent.ask("{ viewer { ... on Account { email } } }")["data.viewer.email"]
      #expect(email == "new@example.com")
    }
  }

  @Test func `a person registers for an invitation, and accepts it`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      _ = try await ada.parent.perform(
        Documents.updateAccount,
        ["input": ["locale": "de"]]
      )
      _ = try await ada.parent.perform(Documents.inviteParent, ["email": "grace@example.com"])
      let mail = try await server.mail(to: "grace@example.com", about: "lädt dich")
      let page = try await Self.open(mail, on: server)
      #expect(page.text.contains("<h1>Einladung annehmen</h1>"))
      let registering = try #require(page.text.firstMatch(of: /href="(register[^"]*)"/)).1.replacing("&amp;", with: "&")
      let form = try await server.http.get("/\(registering)")
      let secret = try mail.token
      #expect(form.text.contains("<h1>Konto erstellen</h1>") && !form.text.contains(secret))
      var fields = [
        ("lang", "de"), ("invited", "1"), ("email", "ada@example.com"), ("name", "Grace Hopper"),
        ("dateOfBirth", "9 December"), ("newPassword", Household.password), ("repeatedPassword", Household.password),
      ]
      let badDate = try await Self.submit("register", fields, to: server)
      #expect(badDate.status == 400 && badDate.text.contains("Geburtsdatum: Dieser Wert ist nicht gültig."))
      fields[4].1 = "1986-12-09"
      let taken = try await Self.submit("register", fields, to: server)
      #expect(taken.status == 400 && taken.text.contains("Es gibt bereits ein Konto mit dieser E-Mail-Adresse."))
      #expect(taken.text.contains("value=\"Grace Hopper\"") && !taken.text.contains(Household.password))
      fields[2].1 = "grace@example.com"
      let done = try await Self.submit("register", fields, to: server)
      #expect(done.status == 200 && done.text.contains("Öffne danach den Link in der Einladung"), "\(done.text)")
      let verification = try await server.mail(to: "grace@example.com", about: "Bestätige")
      #expect(try await Self.submit("verify-email", [("token", try verification.token)], to: server).status == 200)

      let token = [("lang", "de"), ("token", try mail.token), ("email", "grace@example.com")]
      let wrong = try await Self.submit("accept-invitation", token + [("password", "not it at all")], to: server)
      #expect(wrong.status == 400 && wrong.text.contains("Die E-Mail-Adresse oder das Passwort ist falsch."))
      let joined = try await Self.submit("accept-invitation", token + [("password", Household.password)], to: server)
      #expect(joined.status == 200 && joined.text.contains("Du gehörst jetzt zur Familie"), "\(joined.text)")
      #expect(joined.text.contains("<p>Lovelace family</p>"))
      #expect(try await ada.parents() == ["Ada Lovelace", "Grace Hopper"])
      #expect(try server.rows("SELECT count(*) FROM session", columns: 1) == [[1]])
    }
  }

  @Test func `an account with another address waits for confirmation`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let eve = try await Household(on: server, email: "eve@example.com", name: "Eve Eve")
      _ = try await ada.parent.perform(Documents.inviteParent, ["email": "grace@example.com"])
      let token = try await server.mail(to: "grace@example.com", about: "invites").token
      let fields = [("token", token), ("email", eve.email), ("password", Household.password)]
      let waiting = try await Self.submit("accept-invitation", fields, to: server)
      #expect(waiting.status == 200 && waiting.text.contains("Your acceptance awaits confirmation"), "\(waiting.text)")
      #expect(!waiting.text.contains("Lovelace family"))
      #expect(try await ada.parents() == ["Ada Lovelace"])
    }
  }

  @Test func `the same limits apply as to apps`() async throws {
    try await TestServer.run(configure: { $0.clientAddressHeader = "x-forwarded-for" }) { server in
      let ada = try await Household(on: server)
      let fields = [("token", "x"), ("email", ada.email), ("password", "not it at all")]
      let client = HTTPClient(port: server.port, from: "198.51.100.7")
      var last = try await Self.submit("accept-invitation", fields, to: server, from: client)
      for _ in 0..<20 where last.status == 400 {
        last = try await Self.submit("accept-invitation", fields, to: server, from: client)
      }
      #expect(last.status == 429 && last.text.contains("There were too many attempts."))
    }
  }

  @Test func `pages work where only trusted documents are executed, and not while the server is read-only`()
    async throws
  {
    let documents = try TemporaryDirectory()
    let document = "query Name { family { name } }"
    try Data(document.utf8).write(to: URL(filePath: "\(documents.path)/name.graphql"))
    try await TestServer.run(configure: {
      $0.trustedDocuments = documents.path
      $0.acceptedDocuments = .trusted
    }) { server in
      let none = try await Self.submit("verify-email", [("token", "none")], to: server)
      #expect(none.status == 400 && none.text.contains("It was used already"), "\(none.text)")
    }
    try await TestServer.run(configure: { $0.isReadOnly = true }) { server in
      let none = try await Self.submit("verify-email", [("token", "none")], to: server)
      #expect(none.status == 503 && none.text.contains("Something went wrong. Please try again later."))
    }
  }

  @Test func `other bodies are rejected, and there are no pages where the app has them`() async throws {
    try await TestServer.run { server in
      let body = Array("{\"token\": \"a\"}".utf8)
      let json = [("Content-Type", "application/json")]
      let other = try await server.http.send("POST", "/verify-email", headers: json, body: body)
      #expect(other.status == 415)
      let many = String(repeating: "a=b&", count: 100)
      let type = [("Content-Type", "application/x-www-form-urlencoded")]
      #expect(try await server.http.send("POST", "/register", headers: type, body: Array(many.utf8)).status == 415)
      #expect(try await server.http.send("DELETE", "/register").status == 405)
      #expect(try await server.http.get("/verify-email/").status == 404)
      #expect(try await server.http.get("/register?%ff").status == 200)
    }
    try await TestServer.run(configure: { $0.appURL = "https://nest.example" }) { server in
      for page in AccountPage.allCases where page != .stopInvitations {
        let answer = try await server.http.get("/\(page.rawValue)")
        #expect(answer.status == 404)
        #expect(try await Self.submit(page.rawValue, [("token", "a")], to: server).status == 404)
      }
    }
  }
}
