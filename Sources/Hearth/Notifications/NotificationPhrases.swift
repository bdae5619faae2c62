/// The sentences of notifications in one language.
struct NotificationPhrases: Sendable {
  /// A sentence with placeholders: `{actor}`, `{member}` and `{parent}` are people, `{child}` is a child, and `{thing}`
  /// is the name of a group, a chore or a reward.
  struct Phrase: Sendable {
    let usual: String
    /// The sentence if the recipient is who `{parent}` is to others.
    let ofRecipient: String?
    /// The sentence if the thing does not exist any more, or if the recipient cannot see it. It does not tell which.
    let withoutThing: String?

    init(_ usual: String, ofRecipient: String? = nil, withoutThing: String? = nil) {
      (self.usual, self.ofRecipient, self.withoutThing) = (usual, ofRecipient, withoutThing)
    }
  }

  /// For people who are gone, within a sentence.
  let somebody: String
  let child: String
  /// For kinds without a sentence.
  let news: String
  let sentences: [Kind: Phrase]

  static func of(_ language: MailLanguage) -> NotificationPhrases {
    switch language {
    case .english: .english
    case .german: .german
    case .french: .french
    case .spanish: .spanish
    }
  }

  /// Names may contain braces, so they are not searched for placeholders.
  func filled(_ sentence: String, _ name: (String) -> String?) -> String {
    var text = ""
    for (index, part) in sentence.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
      guard index > 0, let end = part.firstIndex(of: "}") else {
        text += part
        continue
      }
      let placeholder = String(part[..<end])
      let substitute = placeholder == "child" ? child : somebody
      text +=
        name(placeholder) ?? (text.isEmpty ? substitute.prefix(1).uppercased() + substitute.dropFirst() : substitute)
      text += part[part.index(after: end)...]
    }
    return text
  }
}
