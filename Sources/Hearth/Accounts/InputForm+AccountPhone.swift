extension InputForm {
  /// The phone number of an account. It is stored as entered, with or without an area code, so it need not be dialable
  /// from everywhere. Only its form is checked.
  mutating func accountPhone(required: Bool) -> String? {
    let number = line("phone", subject: "A phone number", maximum: PhoneNumber.maximumLength, required: required)
    guard let number, !PhoneNumber.isPlausible(number) else { return number }
    reject("phone", code: .invalid, message: "This is not a phone number.")
    return nil
  }
}

extension PhoneNumber {
  private static let fewestDigits = 3

  /// Digits, separators and an optional extension.
  fileprivate static func isPlausible(_ text: String) -> Bool {
    let isExtension = { (character: Character) in "extEXT".contains(character) }
    return text.count(where: \.isWholeNumber) >= fewestDigits
      && text.allSatisfy { !$0.isLetter || isExtension($0) }
  }
}
