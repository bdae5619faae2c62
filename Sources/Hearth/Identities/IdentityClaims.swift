/// The claims of an identity token (OpenID Connect Core, sections 2 and 5.1), including Facebook's own names for some
/// of them.
struct IdentityClaims: Decodable, Sendable {
  let issuer: String
  let subject: String
  let audience: OneOrMore
  let expiry: Double
  let issuedAt: Double?
  let notBefore: Double?
  let nonce: String?
  let nonceSupported: Truth?
  let email: String?
  let emailVerified: Truth?
  let name: String?
  let givenName: String?
  let middleName: String?
  let familyName: String?
  let birthdate: String?
  let gender: String?
  let facebookBirthday: String?
  let facebookGender: String?

  private enum CodingKeys: String, CodingKey {
    case issuer = "iss"
    case subject = "sub"
    case audience = "aud"
    case expiry = "exp"
    case issuedAt = "iat"
    case notBefore = "nbf"
    case nonce
    case nonceSupported = "nonce_supported"
    case email
    case emailVerified = "email_verified"
    case name
    case givenName = "given_name"
    case middleName = "middle_name"
    case familyName = "family_name"
    case birthdate
    case gender
    case facebookBirthday = "user_birthday"
    case facebookGender = "user_gender"
  }

  /// One string, or a list of strings.
  struct OneOrMore: Decodable, Sendable {
    let values: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      values = if let one = try? container.decode(String.self) { [one] } else { try container.decode([String].self) }
    }
  }

  /// `true`, or `"true"` as Apple writes it.
  struct Truth: Decodable, Sendable {
    let value: Bool

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let truth = try? container.decode(Bool.self) {
        value = truth
      } else {
        value = try container.decode(String.self) == "true"
      }
    }
  }

  var personClaims: PersonClaims {
    PersonClaims(
      email: email,
      name: name,
      firstName: givenName,
      middleName: middleName,
      lastName: familyName,
      birthday: birthdate ?? facebookBirthday,
      gender: gender ?? facebookGender
    )
  }
}
