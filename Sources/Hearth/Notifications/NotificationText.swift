/// The names that the message of a notification contains, and the message: a sentence for the recipient.
struct NotificationText: Sendable {
  private var names: [NotificationColumn: String] = [:]
  /// Whether the notification is about the recipient.
  var isOfRecipient = false

  subscript(_ column: NotificationColumn) -> String? {
    get { names[column] }
    set { names[column] = newValue }
  }

  /// What the notification is about, besides people: the name of a group, a chore or a reward.
  private static let things: [NotificationColumn] = [
    .groupName, .joinRequestGroupName, .choreName, .subjectChoreName, .rewardName,
  ]

  func message(of kind: Kind, in language: MailLanguage = .english) -> String {
    let phrases = NotificationPhrases.of(language)
    guard let phrase = phrases.sentences[kind] else { return phrases.news }
    let thing = Self.things.lazy.compactMap { self[$0] }.first
    let sentence = isOfRecipient ? phrase.ofRecipient ?? phrase.usual : phrase.usual
    return phrases.filled(thing == nil ? phrase.withoutThing ?? sentence : sentence) { placeholder in
      switch placeholder {
      case "actor": self[.actorName]
      case "child": self[.childName]
      case "member": self[.childName] ?? self[.actorName]
      case "parent": self[.subjectName]
      default: thing
      }
    }
  }

  /// - Parameter name: of the chore.
  static func reminder(ofChore name: String?, in language: MailLanguage) -> String {
    var text = NotificationText()
    text[.choreName] = name
    return text.message(of: .reminderNotification, in: language)
  }
}
