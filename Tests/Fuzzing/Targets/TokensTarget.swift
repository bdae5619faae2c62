import Foundation

@testable import Hearth

/// Texts that clients send as tokens, ids, cursors, addresses and names. Whatever is accepted has one form only, and
/// cannot inject anything into the text that contains it.
enum TokensTarget {
  /// Returns whether the text is anything but a name or a search, which nearly every text is.
  static func check(_ input: [UInt8]) throws -> Bool {
    // A NUL ends nothing in Swift, but does in the C and C++ libraries.
    guard input.count <= 1024, let text = String(validating: input, as: UTF8.self) else { return false }
    try checkName(text)
    let accepted = try [
      checkIdentifiers(text), checkDates(text), checkAddress(text), checkPhoneNumber(text),
      SignedToken(text) != nil,
      PictureAddress(path: text[...], signedWith: [UInt8](repeating: 7, count: 32)) != nil,
    ]
    return accepted.contains(true)
  }

  static let cipher = IdentifierCipher(secret: Array(0..<16))

  private static func checkIdentifiers(_ text: String) throws -> Bool {
    var isAccepted = false
    guard let cipher else { throw BrokenProperty(description: "There is no cipher.") }
    if let key = cipher.key(of: text) {
      isAccepted = true
      try require(key.rawValue > 0 && key.kind != nil, "An id stands for no key.")
      try require(cipher.text(of: key) == text, "The id \(text) has a second form.")
    }
    if let token = RefreshToken(text, cipher: cipher) {
      isAccepted = true
      try require(token.text == text && token.session.kind == .session, "The refresh token is of no session.")
    }
    let kinds = Kind.allCases
    for order in [
      ListOrder(values: 0, kinds: kinds), ListOrder(values: 1, kinds: kinds), ListOrder(values: 2, kinds: kinds),
      ListOrder(values: 0, hasText: true, kinds: kinds),
    ] {
      guard let cursor = Cursor(text, in: order, cipher) else { continue }
      isAccepted = true
      guard let again = Cursor(cursor.text(cipher), in: order, cipher) else {
        throw BrokenProperty(description: "The cursor \(cursor.text(cipher)) is rejected.")
      }
      try require(
        again.key == cursor.key && again.values == cursor.values && again.text == cursor.text,
        "The cursor \(text) has become another."
      )
    }
    return isAccepted
  }

  private static func checkDates(_ text: String) throws -> Bool {
    let isDay = CalendarDay.isValid(text)
    if isDay {
      try require(text.utf8.count == 10 && text.utf8.allSatisfy { $0 < 0x80 }, "\(text) is no day.")
      try require(CalendarDay.age(born: text, on: text) == 0, "\(text) is not its own day.")
    }
    guard let moment = Moment.parse(text) else { return isDay }
    // The years 1 to 9999, and a day for offsets.
    try require((-62_135_683_200_000...253_402_387_200_000).contains(moment), "\(text) is the moment \(moment).")
    return true
  }

  private static func checkAddress(_ text: String) throws -> Bool {
    let address = EmailAddress(text)
    if let address {
      try require(!text.unicodeScalars.contains { $0.value <= 0x20 || $0.value == 0x7F }, "The address has spaces.")
      try require(EmailAddress(address.key) != nil, "The address \(text) has a key that is no address.")
      try require(EmailAddress(address.key)?.key == address.key, "The address \(text) has a second key.")
      try checkHeader(Mailbox(name: nil, address: address.text).headerText)
    }
    try checkHeader(Mailbox(name: text, address: "a@b.example").headerText)
    try checkHeader(HeaderText.unstructured(text))
    for line in QuotedPrintable.encode(text).components(separatedBy: "\r\n") {
      try require(line.utf8.count <= 76, "A line of a mail has \(line.utf8.count) bytes.")
      try require(line.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "A line of a mail is not ASCII: \(line)")
    }
    return address != nil
  }

  /// A header goes on in a further line only behind a space.
  private static func checkHeader(_ text: String) throws {
    for line in text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).dropFirst() {
      try require(line.first == 0x20, "The header ends early: \(text)")
    }
    let withoutFolds = text.replacingOccurrences(of: "\r\n ", with: "")
    try require(!withoutFolds.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "The header has control characters: \(text)")
  }

  private static func checkName(_ text: String) throws {
    let name = PersonName(splitting: text)
    try require(name.full == text, "The name \(text) has changed.")
    let parts = [name.first] + [name.middle, name.last].compactMap(\.self)
    let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    try require(words.isEmpty || parts.joined(separator: " ") == words, "The name \(text) was split into \(parts).")
    for word in NameOrder.words(of: text) {
      try require(!word.utf8.contains { $0 <= 0x20 || $0 == 0x22 }, "The word \(word) could be syntax.")
    }
    let query = SearchQuery(text)
    guard !query.isEmpty else { return }
    for tier in SearchQuery.Tier.allCases {
      guard let expression = query.expression(for: tier, marks: .person) else { continue }
      let marks = expression.utf8.count { $0 == 0x22 }
      try require(marks.isMultiple(of: 2) && !expression.utf8.contains(0), "The search has syntax in it: \(expression)")
    }
  }

  private static func checkPhoneNumber(_ text: String) throws -> Bool {
    let region = PhoneNumber.region(forCountryCode: text)
    if let region {
      try require(region.utf8.count == 2 || region == "001", "The code \(text) is of the region \(region).")
    }
    guard let number = PhoneNumber(text, region: "US") else { return region != nil }
    try require(number.e164.utf8.first == 0x2B && number.e164.utf8.count <= 24, "\(text) is \(number.e164).")
    try require(number.e164.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }, "\(text) is \(number.e164).")
    try require(PhoneNumber(number.e164, region: "DE")?.e164 == number.e164, "\(number.e164) is read as another.")
    return true
  }
}

/// An access token. No text is accepted for another session than the one that the token was issued for.
enum AccessTokenTarget {
  private static let session = GlobalID(.session, number: 4711)
  private static let tokens = Task {
    guard let cipher = IdentifierCipher(secret: Array(0..<16)) else { preconditionFailure("16 bytes are a secret.") }
    return await AccessTokens(SigningKeys(current: Array(0..<32)), cipher: cipher, lifetime: 900)
  }

  /// A token as the server issues it today.
  static func issued() async throws -> String {
    try await tokens.value.issue(for: session, at: 1_760_000_000_000).token
  }

  /// Returns whether the token verifies.
  static func check(_ input: [UInt8]) async throws -> Bool {
    guard input.count <= 1024, input.contains(UInt8(ascii: ".")) else { return false }
    _ = await tokens.value.isWellFormed(input[...], at: 1_760_000_000_000)
    guard let verified = await tokens.value.verify(input[...], at: 1_760_000_000_000) else { return false }
    try require(verified.session == session, "A token of \(verified.session) was not issued.")
    try require(verified.expiresAt == 1_760_000_900_000, "The token's end was changed to \(verified.expiresAt).")
    return true
  }
}
