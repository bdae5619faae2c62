import GraphQL

/// An entry of a device's address book.
struct AddressBookEntry: Sendable {
  /// The maximum number of entries per call, and of all their addresses and phone numbers.
  static let maximumCount = 5_000
  static let maximumAddresses = 20_000

  let name: String
  let emails: [String]
  let phones: [String]

  var addressCount: Int { emails.count + phones.count }

  /// Adds errors to `errors`. Values that are not addresses or phone numbers are ignored, because address books contain
  /// all kinds of text.
  static func read(_ input: InputValue?, errors: inout [UserError]) -> [AddressBookEntry] {
    let given = input?.list ?? []
    guard given.count <= maximumCount else {
      let message: UserError.Message =
        "A request can have at most \(maximum: maximumCount) entries: send the rest in another."
      errors.append(UserError(field: ["entries"], code: .tooLong, message: message))
      return []
    }
    var addresses = 0
    var entries: [AddressBookEntry] = []
    entries.reserveCapacity(given.count)
    for (index, value) in given.enumerated() {
      var form = InputForm(value, at: ["entries", String(index)])
      let name = form.line("name", subject: "A name", maximum: 200, required: false)
      let emails = value["emails"]?.list?.compactMap(\.string) ?? []
      let phones = value["phones"]?.list?.compactMap(\.string) ?? []
      addresses += emails.count + phones.count
      errors += form.errors
      entries.append(AddressBookEntry(name: name ?? "", emails: emails, phones: phones))
    }
    if addresses > maximumAddresses {
      let message: UserError.Message =
        "A request can have at most \(maximum: maximumAddresses) addresses and numbers: send the rest in another."
      errors.append(UserError(field: ["entries"], code: .tooLong, reason: .tooManyAddresses, message: message))
    }
    return entries
  }
}
