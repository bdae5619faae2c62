import Bytes
import Crypto
import Foundation

/// Facebook's Graph API. It tells which app and person an access token belongs to, and returns what the person shares
/// with the app.
struct FacebookGraph: Sendable {
  private struct Inspection: Decodable {
    struct Token: Decodable {
      let appId: Identifier?
      let userId: Identifier?
      let isValid: Bool?
      let type: String?
      let expiresAt: Double?
    }
    let data: Token
  }

  private struct Person: Decodable {
    let id: Identifier
    let email: String?
    let name: String?
    let firstName: String?
    let middleName: String?
    let lastName: String?
    let birthday: String?
    let gender: String?
  }

  /// A number, encoded as a string or as a number.
  struct Identifier: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      text =
        if let number = try? container.decode(Int64.self) { String(number) } else { try container.decode(String.self) }
    }
  }

  private static let decoder = {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    return decoder
  }()

  private static let fields = "id,name,first_name,middle_name,last_name,email,birthday,gender"
  /// Actual tokens have some 200 bytes.
  private static let maximumSize = 2_048

  let url: WebURL
  let settings: ProviderSettings

  /// Blocks, so it must not be called on an event loop.
  func person(with token: String, at now: Int64) -> Result<VerifiedIdentity, IdentityFailure> {
    Result { () throws(IdentityFailure) in
      let user = try user(of: token, at: now)
      let person: Person = try fetch("me", for: Self.fields, with: token)
      guard person.id.text == user else { throw .notOurs(.facebook) }
      var identity = VerifiedIdentity(provider: .facebook, subject: user)
      identity.take(Self.claims(person), today: WallClock("UTC").day(at: now).text)
      return identity
    }
  }

  /// Returns the user id of the token, if the token is valid and was issued to this app.
  func user(of token: String, at now: Int64) throws(IdentityFailure) -> String {
    guard (1...Self.maximumSize).contains(token.utf8.count) else { throw .notOurs(.facebook) }
    let inspected: Inspection = try get(
      "debug_token",
      parameters: [("input_token", token), ("access_token", own ?? token)]
    )
    let about = inspected.data
    guard about.isValid == true, about.type ?? "USER" == "USER", let app = about.appId?.text,
      settings.clientIDs.contains(app), let user = about.userId?.text, (1...255).contains(user.utf8.count)
    else { throw .notOurs(.facebook) }
    // 0 means that the token does not expire.
    if let end = about.expiresAt, end != 0, end * 1000 <= Double(now) { throw .expired }
    return user
  }

  /// Requests fields of the object at the path on behalf of the token's owner.
  func fetch<Response: Decodable>(
    _ path: String,
    for fields: String,
    _ more: [(name: String, value: String)] = [],
    with token: String
  ) throws(IdentityFailure) -> Response {
    try get(path, parameters: [("fields", fields), ("access_token", token)] + more + proof(of: token))
  }

  /// The app's own access token. Without an app secret, the inspected token authenticates its own inspection.
  private var own: String? {
    guard let secret = settings.applicationSecret, let app = settings.clientIDs.first else { return nil }
    return "\(app)|\(secret.text)"
  }

  /// Proof that the request comes from the app. Facebook apps can be configured to require it.
  private func proof(of token: String) -> [(name: String, value: String)] {
    guard let secret = settings.applicationSecret else { return [] }
    let key = SymmetricKey(data: Data(secret.text.utf8))
    let code = HMAC<SHA256>.authenticationCode(for: Data(token.utf8), using: key)
    return [("appsecret_proof", code.hexadecimal)]
  }

  private static func claims(_ person: Person) -> PersonClaims {
    PersonClaims(
      email: person.email,
      name: person.name,
      firstName: person.firstName,
      middleName: person.middleName,
      lastName: person.lastName,
      birthday: person.birthday,
      gender: person.gender
    )
  }

  private func get<Response: Decodable>(
    _ path: String,
    parameters: [(name: String, value: String)]
  ) throws(IdentityFailure) -> Response {
    guard let url = url.appending(path, parameters: parameters) else { throw .notOurs(.facebook) }
    let response: WebRequest.Response
    do throws(WebFailure) {
      response = try WebRequest(url: url, timeout: settings.timeout).perform()
    } catch {
      throw .unavailable(error.description)
    }
    // Facebook uses these status codes for invalid and expired access tokens. It also uses them for a wrong app secret,
    // which only the log can reveal.
    if (400...403).contains(response.status) { throw .notOurs(.facebook) }
    guard response.status == 200, let found = try? Self.decoder.decode(Response.self, from: Data(response.body)) else {
      throw .unavailable("Unexpected response with status \(response.status).")
    }
    return found
  }
}
