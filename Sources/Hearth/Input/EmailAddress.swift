import Foundation

/// An e-mail address in a form that mail servers accept.
struct EmailAddress: Sendable {
  let text: String
  /// The form in which addresses are compared.
  var key: String { Self.key(of: text) }

  /// The key of a text that need not be a valid address, such as what somebody signs in with.
  static func key(of text: String) -> String { text.lowercased() }

  /// The mailbox that rate limits count: the address without its tag (RFC 5233), as in `ada+hearth@example.com`, and
  /// without dots in its local part, which Gmail ignores. One person can have any number of addresses with these. It
  /// does not identify an account, because servers may treat them as different mailboxes.
  var mailboxKey: String { Self.mailbox(of: text, hasDots: false) }

  /// The mailbox whose owner can stop invitations to it, of a text that need not be a valid address: as `mailboxKey`,
  /// but with dots, except for Gmail's mailboxes. Elsewhere dots can distinguish two people.
  static func ownedMailbox(of text: String) -> String { mailbox(of: text, hasDots: true) }

  private static func mailbox(of text: String, hasDots: Bool) -> String {
    let local = text.prefix { $0 != "@" }
    // A leading `+` does not begin a tag.
    let end = local.dropFirst().firstIndex(of: "+") ?? local.endIndex
    // Mails go to the ASCII form, so both forms are one mailbox.
    let domain = DomainName.ascii(text.drop { $0 != "@" }.dropFirst().lowercased())
    // The same mailboxes by Gmail's name in some countries.
    let isGmail = domain == "gmail.com" || domain == "googlemail.com"
    let name = local[..<end].filter { $0 != "." || hasDots && !isGmail }
    return "\(name.lowercased())@\(isGmail ? "gmail.com" : domain)".precomposedStringWithCanonicalMapping
  }

  init?(_ text: String) {
    guard text.utf8.count <= 254 else { return nil }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, Self.isLocalPart(parts[0]), Self.isDomain(parts[1]) else { return nil }
    self.text = text
  }

  var localPart: String { String(text.prefix { $0 != "@" }) }

  /// A dot-atom (RFC 5322, section 3.2.3), including the letters that RFC 6532 adds.
  private static func isLocalPart(_ part: Substring) -> Bool {
    guard (1...64).contains(part.utf8.count) else { return false }
    let symbols = "!#$%&'*+-/=?^_`{|}~"
    return part.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty
        && atom.allSatisfy { character in
          character.isASCII
            ? character.isLetter || character.isNumber || symbols.contains(character)
            : character.isLetter || character.isNumber
        }
    }
  }

  /// At least two labels (RFC 1035, section 2.3.1), including the letters of internationalized names.
  private static func isDomain(_ part: Substring) -> Bool {
    let labels = part.split(separator: ".", omittingEmptySubsequences: false)
    return labels.count >= 2
      && labels.allSatisfy { label in
        (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
          && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
      }
  }
}
