import Foundation
import Storage
import TestSupport
import Testing

@testable import Hearth

@Suite("The texts of mails")
struct MailTemplateTests {
  private static let values: [MailPlaceholder: String] = [
    .app: "Nest", .firstName: "Ada", .inviter: "Grace Hopper", .family: "Lovelace family", .child: "Mia",
    .username: "mia-1", .parent: "Ada Lovelace", .requestedBy: "Mary Shelley", .day: "1 May 2027",
    .link: "https://nest.example/page?token=abc", .code: "abc", .stop: "https://nest.example/stop?token=def",
  ]

  @Test(arguments: MailKind.allCases, MailLanguage.allCases)
  func `each mail exists in each language, with all that it is about`(kind: MailKind, language: MailLanguage) {
    #expect(MailTemplates.standard.contains(kind, in: language))
    let content = MailTemplates.standard.content(of: kind, values: Self.values, in: language)
    let text = content.subject + "\n" + content.plain
    for placeholder in kind.placeholders { #expect(text.contains(Self.values[placeholder] ?? "-"), "\(placeholder)") }
    for mark in ["{", "}", "|", "  \n", " ,", "[", "]("] { #expect(!text.contains(mark), "\(mark) in \(text)") }
    #expect(content.html.contains("<html lang=\"\(language.rawValue)\">"))
    #expect(content.html.contains("href=\"https://nest.example/page?token=abc\"") == kind.placeholders.contains(.link))
    // Names of which nothing can be shown.
    let nameless = Self.values.filter { !$0.key.isName && $0.key != .username }
    let without = MailTemplates.standard.content(of: kind, values: nameless, in: language)
    #expect(without.paragraphs.count == content.paragraphs.count - (kind == .childAdded ? 1 : 0))
    let words = (without.subject + "\n" + without.plain).replacing("\n  abc", with: "")
    for mark in ["  ", " ,", " :", " .", "{", "|"] { #expect(!words.contains(mark), "\(mark) in \(words)") }
    for other in MailLanguage.allCases where other != language {
      let translated = MailTemplates.standard.content(of: kind, values: Self.values, in: other)
      #expect(translated.subject != content.subject && translated.plain != content.plain)
    }
  }

  @Test func `days are written as in the language`() {
    let texts = MailLanguage.allCases.map { $0.text(of: Day(year: 2027, month: 3, day: 1)) }
    #expect(texts == ["1 March 2027", "1. März 2027", "1er mars 2027", "1 de marzo de 2027"])
  }

  @Test(
    arguments: [
      ("de", "de"), ("de-AT", "de"), ("FR", "fr"), ("es-419", "es"), ("en-GB", "en"), ("deu", nil), ("pt", nil),
    ]
      as [(String, String?)]
  )
  func `a locale is read by its language`(locale: String, language: String?) {
    #expect(MailLanguage(locale: locale)?.rawValue == language)
  }

  // MARK: Sent mails

  private static func use(_ locale: String, _ household: Household) async throws {
    let outcome = try await household.parent.perform(Documents.updateAccount, ["input": ["locale": .string(locale)]])
    try #require(outcome.userErrors == [])
  }

  /// The secret of the last mail to an address.
  private static func token(to address: String, _ server: TestServer) async throws -> Value {
    .string(try #require(try await server.mails().last { $0.to.contains(address) }).token)
  }

  private static func admit(_ other: Household, to ada: Household, _ server: TestServer) async throws {
    let invited = try await ada.parent.perform(Documents.inviteParent, ["email": .string(other.email)])
    try #require(invited.userErrors == [])
    let token = try await token(to: other.email, server)
    let accepted = try await other.parent.perform(Documents.acceptInvitation, ["token": token])
    try #require(accepted["family.id"] == .string(ada.familyID), "\(accepted)")
  }

  /// Without an identity provider, nothing can be linked.
  private static func reportLink(to household: Household, _ server: TestServer) async throws {
    let services = server.services
    let person = try #require(services.cipher.key(of: household.personID))
    let now = Timestamp(services.clock.now())
    try await services.database.write { transaction in
      let lane = services.mail.lane(network: nil, sender: .person(person))
      try services.mail.append(.identityLinked, person: person, lane: lane, in: DatedWrite(at: now, in: transaction))
    }
  }

  @Test(arguments: MailLanguage.allCases)
  func `every mail is in the language of the account`(language: MailLanguage) async throws {
    try await TestServer.run(configure: { $0.accessTokenLifetime = 30 * 86_400 }) { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      let first = try await server.mails().count
      for household in [ada, grace] {
        try await Self.use("\(language.rawValue)-CH", household)
        _ = try await household.parent.perform("mutation { resendVerificationEmail { \(Documents.errors) } }")
        let token = try await Self.token(to: household.email, server)
        #expect(try await household.parent.perform(Documents.verifyEmail, ["token": token]).userErrors == [])
      }
      _ = try await server.visitor.perform(Documents.requestReset, ["email": .string(ada.email)])
      let mia = try await ada.addChild("Mia", username: "mia")
      try await Self.admit(grace, to: ada, server)
      // A parent who has just joined is removed at once.
      server.clock.advance(days: 2)
      #expect(try await ada.requestRemoval(of: grace).userErrors == [])
      _ = try await server.mails()
      server.clock.advance(days: 7)
      try await waitUntil("The parent is removed.") { try await ada.parents() == ["Ada Lovelace"] }
      try await Self.admit(grace, to: ada, server)
      let left = try await grace.parent.perform(Documents.leaveFamily, ["password": .string(Household.password)])
      #expect(left.userErrors == [])
      _ = try await ada.parent.perform(Documents.inviteContact, ["email": "new@example.com", "offer": []])
      #expect(try await ada.deleteChild(mia).userErrors == [])
      #expect(try await grace.deleteAccount().userErrors == [])
      let change: Value = ["email": "ada@new.example", "password": .string(Household.password)]
      #expect(try await ada.parent.perform(D14AccountManagementTests.changeEmail, change).userErrors == [])
      let confirmation = try await Self.token(to: "ada@new.example", server)
      let confirm = "mutation ($token: String!) { confirmEmailChange(token: $token) { \(Documents.errors) } }"
      #expect(try await ada.parent.perform(confirm, ["token": confirmation]).userErrors == [])
      try await Self.reportLink(to: ada, server)

      let mails = try await server.mails().dropFirst(first)
      let head = "<html lang=\"\(language.rawValue)\">"
      for mail in mails {
        #expect(mail.html.contains(head) && mail.defects == [], "\(mail.subject)")
      }
      let names: [MailPlaceholder: String] = [.child: "Mia", .inviter: "Ada Lovelace"]
      let subjects = MailKind.allCases.filter { $0 != .test }.map {
        MailTemplates.standard.content(of: $0, values: names, in: language).subject
      }
      #expect(Set(mails.map(\.subject)) == Set(subjects))
      let links = mails.flatMap { $0.plain.matches(of: /\/[a-z-]+\?[^\s]*token=/) }.map { String($0.0) }
      // Three of them stop invitations.
      #expect(links.count == 9)
      #expect(links.allSatisfy { $0.contains("?lang=\(language.rawValue)&") == (language != .english) })
    }
  }

  @Test func `an account without a language gets the server's`() async throws {
    try await TestServer.run(configure: { $0.defaultLanguage = .spanish }) { server in
      _ = try await Household(on: server)
      let mail = try #require(try await server.mails().last)
      let content = MailTemplates.standard.content(of: .emailVerification, values: [:], in: .spanish)
      #expect(mail.subject == content.subject && mail.html.contains("<html lang=\"es\">"))
    }
  }

  @Test func `an address without an account gets the inviter's language, another one its own`() async throws {
    try await TestServer.run { server in
      let ada = try await Household(on: server)
      let grace = try await Household("Grace Hopper", on: server)
      try await Self.use("de", ada)
      for email in ["new@example.com", grace.email] {
        _ = try await ada.parent.perform(Documents.inviteParent, ["email": .string(email)])
        #expect(try await server.mails().last?.subject == "Ada Lovelace lädt dich in eine Familie ein")
      }
      try await Self.use("fr", grace)
      _ = try await ada.parent.perform(Documents.inviteParent, ["email": .string(grace.email)])
      #expect(try await server.mails().last?.subject == "Ada Lovelace vous invite à rejoindre une famille")
    }
  }

  @Test func `mails have the app's name and lead to the app`() async throws {
    try await TestServer.run(configure: {
      $0.publicURL = "https://api.nest.example"
      $0.appURL = "https://nest.example/app"
      $0.appName = "Nest & Co"
    }) { server in
      _ = try await Household(on: server)
      let mail = try await server.mail(to: "ada@example.com", about: "Confirm")
      #expect(mail.from == "\"Nest & Co\" <hearth@localhost>" || mail.from == "Nest & Co <hearth@localhost>")
      #expect(mail.plain.contains("Welcome to Nest & Co.") && mail.html.contains("Welcome to Nest &amp; Co."))
      #expect(mail.plain.contains("https://nest.example/app/verify-email?token=\(try mail.token)\n"))
      #expect(!mail.plain.contains("Hearth") && !mail.plain.contains("api.nest.example"))
    }
  }

  // MARK: Templates of operators

  private static func folder(_ files: [String: String]) throws -> TemporaryDirectory {
    let directory = try TemporaryDirectory()
    for (name, text) in files { try Data(text.utf8).write(to: URL(filePath: "\(directory.path)/\(name)")) }
    return directory
  }

  @Test func `an operator's templates replace those that they name`() async throws {
    let own = """
      # Ours
      == emailVerification
      Subject: {app}: welcome, {firstName|stranger}

      Click, {firstName|stranger},
      please.

      [Yes]({link})

      [Imprint](https://nest.example/imprint)
      """
    let folder = try Self.folder(["en.txt": own, "README.md": "{"])
    let templates = try MailTemplates(folder: folder.path)
    try await TestServer.run(configure: { $0.mailTemplates = templates }) { server in
      let ada = try await Household(on: server)
      let mail = try await server.mail(to: "ada@example.com", about: "welcome")
      #expect(mail.subject == "Hearth: welcome, Ada")
      #expect(mail.plain.hasPrefix("Click, Ada, please.\n\nYes:\nhttp://"))
      #expect(mail.plain.hasSuffix("Imprint:\nhttps://nest.example/imprint\n"))
      let verified = try await ada.parent.perform(Documents.verifyEmail, ["token": .string(mail.token)])
      #expect(verified.userErrors == [])
      _ = try await ada.addChild("Mia", username: "mia")
      _ = try await server.mail(to: "ada@example.com", about: "Mia was added to your family")
    }
  }

  @Test(
    arguments: [
      ("== passwortReset", 1, "\"passwortReset\" is not the name of a mail. Did you mean \"passwordReset\"?"),
      ("Hello", 1, "A template begins with a line such as \"== passwordReset\"."),
      ("#\n== test\n\nHello", 4, "A template begins with its subject, as \"Subject: Hello\"."),
      ("== test\nSubject:\n", 2, "A template begins with its subject, as \"Subject: Hello\"."),
      ("== test\nSubject: A\n\nHi\n\n== test\nSubject: A", 6, "The file has a template of test already."),
      ("== test\nSubject: A\n", 1, "The template has no text."),
      ("== test\n", 1, "The template has no subject."),
      (
        "== parentLeft\nSubject: A\n\nA\n{fristName|you}", 5,
        "The mail parentLeft has no {fristName}. Did you mean {firstName}?"
      ),
      ("== test\nSubject: A\n\n{code}", 4, "The mail test has no {code}. It can contain {app}."),
      ("== test\nSubject: A\n\n{app", 4, "A placeholder is written as {name}: a brace is missing."),
      ("== test\nSubject: A\n\napp}", 4, "A placeholder is written as {name}: a brace is missing."),
      (
        "== test\nSubject: A\n\n{app|b}", 4,
        "{app} is written without \"|\": if it has no value, its paragraph is left out."
      ),
      (
        "== childAdded\nSubject: A\n\n{username|b}", 4,
        "{username} is written without \"|\": if it has no value, its paragraph is left out."
      ),
      (
        "== parentLeft\nSubject: A\n\n{firstName}", 4,
        "{firstName} needs words for names that cannot be shown, such as {firstName|Somebody}."
      ),
      ("== emailChange\nSubject: {code}\n", 2, "A subject cannot contain {code}."),
      (
        "\n== emailChange\nSubject: A\n\n{code}", 2,
        "The template has no link: it needs a paragraph such as [Continue]({link})."
      ),
      ("== test\nSubject: A\n\n    a\n    b", 5, "A code is a line of its own, between empty lines."),
      (
        "== test\nSubject: A\n\n[A](javascript:alert)", 4,
        "The address of a link is {link}, or begins with https://, http:// or mailto:."
      ),
    ] as [(String, Int, String)]
  )
  func `a template that is not valid is reported with its line`(text: String, line: Int, sentence: String) throws {
    let error = #expect(throws: InvalidTemplate.self) { try MailTemplateFile(text) }
    #expect(error?.line == line && error?.sentence == sentence, "\(String(describing: error))")
  }

  @Test func `the server does not start with a template that is not valid, and config check reports it`() async throws {
    let broken = try Self.folder(["de.txt": "== test\nSubject: A\n\n{nmae}"])
    let unknown = try Self.folder(["it.txt": ""])
    let binary = try TemporaryDirectory()
    try Data([0xFF, 0xFE]).write(to: URL(filePath: "\(binary.path)/es.txt"))
    let data = try TemporaryDirectory()
    for (folder, message) in [
      (broken.path, "\(broken.path)/de.txt:4: The mail test has no {nmae}."),
      (unknown.path, "\(unknown.path)/it.txt: The name of a file with templates is one of en.txt, "),
      (binary.path, "\(binary.path)/es.txt cannot be read as text in UTF-8."),
      ("/nowhere", "The folder /nowhere cannot be read."),
    ] {
      for command in [["serve", "--port", "0", "--data", data.path], ["config", "check"]] {
        let result = try await Program(command, environment: ["HEARTH_MAIL_TEMPLATES": folder]).result()
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("Error: HEARTH_MAIL_TEMPLATES: \(message)"), "\(result.errors)")
      }
    }
  }

  @Test func `the example for operators is valid`() throws {
    let templates = try MailTemplates(folder: Checkout.root.appendingPathComponent("Examples/mail").path)
    let content = templates.content(of: .passwordReset, values: Self.values, in: .german)
    #expect(content.subject == "Dein neues Passwort für Nest")
    #expect(content.plain.hasSuffix("Hilfe:\nhttps://nest.example/hilfe\n"))
  }

  @Test(arguments: MailLanguage.allCases)
  func `hearth mail templates prints a file that can be used`(language: MailLanguage) async throws {
    let printed = try await Program.run("mail", "templates", language.rawValue)
    #expect(printed.status == 0)
    #expect(Set(try MailTemplateFile(printed.output).templates.keys) == Set(MailKind.allCases))
  }

  @Test(arguments: [
    ("HEARTH_APP_URL", "nest.example"), ("HEARTH_APP_URL", "https://nest.example/?a"),
    ("HEARTH_APP_NAME", "nest.example"),
    ("HEARTH_APP_NAME", "a\u{202E}b"), ("HEARTH_APP_NAME", String(repeating: "n", count: 61)),
  ])
  func `an app's name and address are checked`(variable: String, value: String) async throws {
    let result = try await Program(["config", "check"], environment: [variable: value]).result()
    #expect(result.status == 1 && result.errors.hasPrefix("Error: \(variable) must be "), "\(result.errors)")
  }
}
