extension InputForm {
  /// A language tag such as `de` or `pt-BR`: subtags of letters and digits (RFC 5646). Whether there are mails in the
  /// language is not checked.
  mutating func locale(_ field: String) -> String? {
    guard let tag = line(field, subject: "A language tag", maximum: 35, required: false) else { return nil }
    let subtags = tag.split(separator: "-", omittingEmptySubsequences: false)
    let isValid =
      (2...3).contains(subtags[0].count) && subtags[0].allSatisfy(\.isLetter)
      && subtags.allSatisfy {
        (1...8).contains($0.count) && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      }
    guard isValid else {
      reject(field, code: .invalid, message: "This is not a language tag, like \"de\" or \"pt-BR\".")
      return nil
    }
    return tag
  }

  /// A time zone of the IANA database.
  mutating func timeZone(_ field: String, required: Bool) -> String? {
    guard let name = line(field, subject: "A time zone", required: required) else { return nil }
    guard TimeZoneName.isValid(name) else {
      reject(field, code: .invalid, message: "This is not a time zone of the IANA database, like \"Europe/Paris\".")
      return nil
    }
    return name
  }
}
