import GraphQL

/// The parsed input of `addContactInfo` and `updateContactInfo`.
struct ContactInfoForm: Sendable {
  enum Content: Sendable {
    case email(EmailAddress)
    case phone(PhoneNumber)
    case address(PostalAddress)

    var kind: ContactInfoKind {
      switch self {
      case .email: .email
      case .phone: .phone
      case .address: .address
      }
    }
  }

  /// Nil if the input has no `info`.
  let content: Content?
  let label: String?
  let givesLabel: Bool
  let scope: Scope?
  let primary: Bool?

  /// Adds errors to `errors`, and returns nil if there are any.
  init?(_ arguments: Arguments, region: String, _ errors: inout [UserError]) {
    var form = InputForm(arguments)
    label = form.line("label", subject: "A label", required: false)
    givesLabel = form.gives("label")
    scope = form["scope"]?.string.flatMap(Scope.init)
    primary = form["primary"]?.boolean
    var info = InputForm(form["info"], at: ["info"])
    if form["info"] == nil {
      content = nil
    } else if info["email"] != nil {
      content = info.emailAddress("email").map(Content.email)
    } else if let phone = info["phone"] {
      var form = InputForm(phone, at: ["info", "phone"])
      content = form.phoneNumber(defaultRegion: region).map(Content.phone)
      info.reject(form.errors)
    } else {
      var form = InputForm(info["address"], at: ["info", "address"])
      content = form.postalAddress().map(Content.address)
      info.reject(form.errors)
    }
    errors += info.errors + form.errors
    guard errors.isEmpty else { return nil }
  }
}

extension InputForm {
  /// Parses `PhoneNumberInput`.
  fileprivate mutating func phoneNumber(defaultRegion: String) -> PhoneNumber? {
    let text = line("number", subject: "A phone number", maximum: PhoneNumber.maximumLength)
    let code = line("countryCode", subject: "A country code", maximum: 4, required: false)
    let extensionNumber = line("extension", subject: "An extension", maximum: 10, required: false)
    if let extensionNumber, !extensionNumber.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      reject("extension", code: .invalid, message: "An extension can have digits only.")
    }
    let region = code.map(PhoneNumber.region(forCountryCode:)) ?? defaultRegion
    if region == nil {
      reject("countryCode", code: .invalid, message: "This is not a country code, like \"\("+1", as: "example")\".")
    }
    guard errors.isEmpty, let text, let region else { return nil }
    let whole = extensionNumber.map { "\(text) ext. \($0)" } ?? text
    guard let number = PhoneNumber(whole, region: region) else {
      reject("number", code: .invalid, message: "This is not a valid phone number.")
      return nil
    }
    return number
  }

  /// Parses `PostalAddressInput`.
  fileprivate mutating func postalAddress() -> PostalAddress? {
    let line1 = line("line1", subject: "The first line of an address", maximum: 200)
    let line2 = line("line2", subject: "The second line of an address", maximum: 200, required: false)
    let city = line("city", subject: "A city")
    let region = line("region", subject: "A region", required: false)
    let postalCode = line("postalCode", subject: "A postal code", maximum: 20, required: false)
    let country = line("country", subject: "A country", required: false)
    guard let line1, let city, errors.isEmpty else { return nil }
    return PostalAddress(
      line1: line1,
      line2: line2,
      city: city,
      region: region,
      postalCode: postalCode,
      country: country
    )
  }
}
