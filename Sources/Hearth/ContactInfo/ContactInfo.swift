import Storage

/// A row of `contact_info`: an e-mail address, a phone number or a postal address of a person.
struct ContactInfo: StoredRow {
  var person: GlobalID
  var scope: Scope
  var kind: ContactInfoKind
  var id: GlobalID
  var label: String?
  /// Whether it is the preferred one of its kind in its scope.
  var isPrimary: Bool
  /// The e-mail address, the number in E.164 form, or the first line of the postal address.
  var value: String
  /// The key by which a phone number is found: its E.164 form.
  var matchKey: String?
  var countryCode: String?
  var extensionNumber: String?
  var line2: String?
  var city: String?
  var region: String?
  var postalCode: String?
  var country: String?
  /// A phone number formatted for display.
  var formatted: String?

  static let table = Table<ContactInfo>(
    "contact_info",
    [
      Column("person_id", \.person),
      Column("scope", \.scope),
      Column("kind", \.kind),
      Column("id", \.id),
      Column("label", \.label),
      Column("is_primary", \.isPrimary),
      Column("value", \.value),
      Column("match_key", \.matchKey),
      Column("country_code", \.countryCode),
      Column("extension", \.extensionNumber),
      Column("line2", \.line2),
      Column("city", \.city),
      Column("region", \.region),
      Column("postal_code", \.postalCode),
      Column("country", \.country),
      Column("formatted", \.formatted),
    ]
  )

  init(
    _ content: ContactInfoForm.Content,
    id: GlobalID,
    of person: GlobalID,
    scope: Scope,
    label: String?,
    isPrimary: Bool
  ) {
    (self.id, self.person, self.scope, self.label, self.isPrimary) = (id, person, scope, label, isPrimary)
    kind = content.kind
    switch content {
    case .email(let address):
      value = address.text
    case .phone(let phone):
      value = phone.e164
      matchKey = phone.e164
      countryCode = phone.countryCode
      extensionNumber = phone.extension
      formatted = phone.formatted
    case .address(let address):
      value = address.line1
      line2 = address.line2
      city = address.city
      region = address.region
      postalCode = address.postalCode
      country = address.country
    }
  }
}
