import CPhoneNumber

/// A telephone number that can be dialled. libphonenumber parses and formats it.
struct PhoneNumber: Hashable, Sendable {
  /// The digits after the country calling code.
  let number: String
  /// The country calling code, such as "1".
  let countryCode: String
  let `extension`: String?
  /// The form in which numbers are compared: "+18105042733".
  let e164: String
  /// The form for display: "+1 810-504-2733".
  let formatted: String
  /// The main region of the country calling code, such as "US".
  let region: String

  /// The maximum length of a text that is parsed.
  static let maximumLength = 40

  /// Parses `text` as a person has typed it. Returns nil if no such number can exist.
  ///
  /// - Parameter region: the region of numbers without a country calling code, such as "US".
  init?(_ text: String, region: String) {
    guard text.utf8.count <= Self.maximumLength * 3 else { return nil }
    var parsed = hearth_phone_number()
    let isNumber = Array(text.utf8).withUnsafeBytes { bytes in
      hearth_parse_phone_number(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, region, &parsed)
    }
    guard isNumber else { return nil }
    let extensionNumber = Self.text(parsed.extension)
    self.init(
      number: Self.text(parsed.national),
      countryCode: Self.text(parsed.country_code),
      extension: extensionNumber.isEmpty ? nil : extensionNumber,
      e164: Self.text(parsed.e164),
      formatted: Self.text(parsed.international),
      region: Self.text(parsed.region)
    )
  }

  init(number: String, countryCode: String, extension: String?, e164: String, formatted: String, region: String) {
    self.number = number
    self.countryCode = countryCode
    self.extension = `extension`
    self.e164 = e164
    self.formatted = formatted
    self.region = region
  }

  /// The region for a country code given by a client: "+1", "1" or "US". Returns nil for an unknown code.
  static func region(forCountryCode text: String) -> String? {
    let isLetter: (UInt8) -> Bool = { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0 & ~0x20) }
    if text.utf8.count == 2, text.utf8.allSatisfy(isLetter) {
      let region = text.uppercased()
      return hearth_is_region(region) ? region : nil
    }
    let digits = text.hasPrefix("+") ? text.dropFirst() : text[...]
    guard digits.utf8.count <= 3, let code = Int32(digits), code > 0 else { return nil }
    var region: (CChar, CChar, CChar, CChar) = (0, 0, 0, 0)
    let isKnown = withUnsafeMutableBytes(of: &region) { bytes in
      hearth_region_of_calling_code(code, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
    }
    return isKnown ? Self.text(region) : nil
  }

  /// The text of a C array, which Swift imports as a tuple. The shim guarantees that it ends with NUL.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
