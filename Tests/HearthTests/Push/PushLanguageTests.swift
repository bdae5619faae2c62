import TestSupport
import Testing

@testable import Hearth

@Suite("Notifications to devices are in the recipient's language", .timeLimit(.minutes(5)))
struct PushLanguageTests {
  @Test func `each kind of a notification's key has its kind of notification`() {
    let named = Kind.allCases.filter { $0.typeName.hasSuffix("Notification") }
    #expect(Set(named) == Set(NotificationKind.allCases.map(\.keyKind)))
    for kind in NotificationKind.allCases { #expect(NotificationKind(kind.keyKind) == kind) }
    #expect(NotificationKind(.reminder) == .reminder)
    #expect(NotificationKind(.chore) == nil)
  }

  @Test(arguments: MailLanguage.allCases)
  func `all kinds have a sentence, with all names and without`(language: MailLanguage) {
    let english = NotificationPhrases.of(.english)
    for notification in NotificationKind.allCases {
      let kind = notification.keyKind
      let phrases = NotificationPhrases.of(language)
      guard let phrase = phrases.sentences[kind], let original = english.sentences[kind] else {
        Issue.record("\(language) has no sentence for \(kind)")
        continue
      }
      #expect((phrase.ofRecipient == nil) == (original.ofRecipient == nil), "\(kind)")
      #expect((phrase.withoutThing == nil) == (original.withoutThing == nil), "\(kind)")
      var text = NotificationText()
      let columns = notification.content.names
      for column in columns { text[column] = "<\(column)> {actor}" }
      let named = text.message(of: kind, in: language)
      let people: Set<NotificationColumn> = [.actorName, .childName]
      // A reward of a child that redeemed it does not name a parent.
      for column in columns where !(column == .actorName && columns.contains(.childName)) {
        #expect(named.contains("<\(column)> {actor}"), "\(named) lacks \(column)")
      }
      text.isOfRecipient = true
      let (own, bare) = (text.message(of: kind, in: language), NotificationText().message(of: kind, in: language))
      for sentence in [named, own, bare] {
        #expect(
          sentence.hasSuffix(".") && !sentence.contains("{thing}") && !sentence.contains("{parent}"),
          "\(sentence)"
        )
      }
      #expect(!bare.contains("{") && bare.first?.isUppercase == true, "\(bare)")
      if columns.isEmpty || columns.allSatisfy(people.contains) { continue }
      #expect(bare != named)
    }
  }

  @Test(.enabled(if: PushServiceProcess.isAvailable, "Scripts/test installs the Python packages."))
  func `an adult's own, a child's own or its parents', and the server's for others`() async throws {
    let service = try await PushServiceProcess()
    let configure = { @Sendable (configuration: inout Configuration) in
      service.configure(&configuration)
      configuration.defaultLanguage = .spanish
    }
    try await TestServer.run(configure: configure) { server in
      let story = try await PushStory(on: server, service)
      _ = try await story.ada.parent.register(try await service.subscription("ada"))
      _ = try await story.child.register(try await service.subscription("mia"))
      try await story.finish()
      #expect(try await service.messages(1)[0]["payload.message"] == "Mia ha terminado una tarea: Feed the cat.")
      let outcome = try await story.ada.parent.perform(Documents.updateAccount, ["input": ["locale": "de-AT"]])
      #expect(outcome.userErrors == [])
      try await story.finish("Dust")
      #expect(try await service.messages(2)[1]["payload.message"] == "Mia hat eine Aufgabe erledigt: Dust.")
      let chore = try await story.ada.addChore("Walk the dog", for: [story.mia])
      _ = try await story.ada.setReminder(of: chore, at: "2026-11-21T08:00:30Z")
      server.clock.advance(seconds: 30)
      let reminders = try await service.messages(4).dropFirst(2)
      #expect(Set(reminders.map { $0["to"] }) == ["ada", "mia"])
      #expect(reminders.allSatisfy { $0["payload.message"] == "Es ist Zeit: Walk the dog." }, "\(reminders)")
      let own = "mutation ($id: ID!) { updateChildProfile(input: {id: $id, locale: \"fr\"}) { child { id } } }"
      #expect(try await story.child.perform(own, ["id": .string(story.mia)])["child.id"] == .string(story.mia))
      _ = try await story.ada.setReminder(of: chore, at: "2026-11-21T08:01:00Z")
      server.clock.advance(seconds: 30)
      let inOwn = try await service.messages(6).dropFirst(4)
      let french = inOwn.filter { $0["to"] == "mia" }.map { $0["payload.message"] }
      #expect(french == ["C’est l’heure : Walk the dog."], "\(inOwn)")
      // Mails to people without a language are in the same language.
      _ = try await Household("Grace Hopper", on: server)
      #expect(try await server.mails().last?.subject == "Confirma tu dirección de correo")
    }
  }
}
