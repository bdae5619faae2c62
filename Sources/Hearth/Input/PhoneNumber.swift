import CPhoneNumber

/// A telephone number that can be dialled, read and put into its forms by libphonenumber.
struct PhoneNumber: Hashable, Sendable {
  /// The digits behind the country's code.
  let number: String
  /// The country's calling code: "1".
  let countryCode: String
  let `extension`: String?
  /// As it is compared: "+18105042733".
  let e164: String
  /// As it is shown: "+1 810-504-2733".
  let formatted: String
  /// The region that the country's code stands for first: "US".
  let region: String

  /// The longest text that is looked at.
  static let maximumLength = 40

  /// `text` as somebody has written it; without a country's code it is one of `region`, as "US". Nil where there can be
  /// no such number.
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

  /// The region for a country's code as clients give it: "+1", "1" or "US". Nil where there is none.
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

  /// The text in an array of C, which Swift sees as a tuple: it ends at its NUL, and the shim sees to it that there is
  /// one.
  private static func text<Characters>(_ characters: Characters) -> String {
    withUnsafeBytes(of: characters) { bytes in String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
