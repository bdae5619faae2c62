extension InputForm {
  /// The number of an account: kept as it was written, with or without an area's
  /// code, so it need not be one that can be dialled from everywhere. It only has to look like one.
  mutating func accountPhone(required: Bool) -> String? {
    let number = line("phone", "A phone number", maximum: PhoneNumber.maximumLength, required: required)
    guard let number, !PhoneNumber.looksLikeOne(number) else { return number }
    refuse("phone", code: .invalid, "This is not a phone number.")
    return nil
  }
}

extension PhoneNumber {
  private static let fewestDigits = 3

  /// Digits, what stands between them, and an extension behind.
  fileprivate static func looksLikeOne(_ text: String) -> Bool {
    let isExtension = { (character: Character) in "extEXT".contains(character) }
    return text.count(where: \.isWholeNumber) >= fewestDigits
      && text.allSatisfy { !$0.isLetter || isExtension($0) }
  }
}
