import Foundation

/// A person whose identity a provider has verified.
struct VerifiedIdentity: Sendable {
  let provider: IdentityProvider
  /// The provider's identifier of the person. It is the only one of these properties that never changes.
  let subject: String
  var email: EmailAddress?
  var isEmailVerified = false
  var name: PersonName?
  var dateOfBirth: String?
  var gender = Gender.unspecified

  init(provider: IdentityProvider, subject: String) {
    self.provider = provider
    self.subject = subject
  }

  /// Takes over those claims that the person could also have typed.
  mutating func take(_ claims: PersonClaims, today: String) {
    email = claims.email.flatMap { EmailAddress(InputForm.normalizedLine($0, maximum: 254)) }
    let (whole, first) = (Self.line(claims.name), Self.line(claims.firstName))
    let (middle, last) = (Self.line(claims.middleName), Self.line(claims.lastName))
    let parts = Self.line([first, middle, last].compactMap(\.self).joined(separator: " "))
    if let first {
      name = PersonName(full: whole ?? parts ?? first, first: first, middle: middle, last: last)
    } else {
      name = (whole ?? last).map(PersonName.init(splitting:))
    }
    dateOfBirth = claims.birthday.flatMap { Self.day($0) }.flatMap { day in
      guard day <= today, let age = CalendarDay.age(born: day, on: today), age <= 130 else { return nil }
      return day
    }
    gender =
      switch claims.gender?.lowercased() {
      case nil, "": .unspecified
      case "female": .female
      case "male": .male
      default: .other
      }
  }

  /// A name for a profile, or nil if it would have no visible character.
  static func line(_ text: String?) -> String? {
    guard let text, text.utf8.count <= 10_000 else { return nil }
    let clean = String(
      String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .control })
    )
    let visible = HiddenCharacters.removed(from: clean)
    // Marks that a hidden character separated follow each other now.
    guard !CombiningMarks.areTooMany(in: visible) else { return nil }
    let line = InputForm.normalized(String(visible.prefix(100)))
    guard !InputForm.isInvisible(line), line.utf8.count <= 100 * InputForm.bytesPerCharacter else { return nil }
    return line
  }

  /// Parses `YYYY-MM-DD`, or Facebook's `MM/DD/YYYY`. Returns nil if only a part of the date was granted.
  private static func day(_ text: String) -> String? {
    if CalendarDay.isValid(text) { return text }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3 else { return nil }
    let day = "\(parts[2])-\(parts[0])-\(parts[1])"
    return CalendarDay.isValid(day) ? day : nil
  }
}

/// Claims of a provider about a person, as the provider sent them.
struct PersonClaims: Sendable {
  var email: String?
  var name: String?
  var firstName: String?
  var middleName: String?
  var lastName: String?
  var birthday: String?
  var gender: String?
}
