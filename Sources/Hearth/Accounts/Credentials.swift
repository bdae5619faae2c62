import GraphQL

/// The tokens that a sign-in returns.
struct Credentials: Sendable {
  let accessToken: String
  /// In milliseconds.
  let expiresAt: Int64
  let refreshToken: String
  let viewer: Viewer

  static let binding = ObjectBinding(fields: [
    "accessToken": .property { (credentials: Credentials) in .string(credentials.accessToken) },
    "tokenType": .property { (_: Credentials) in .string("Bearer") },
    "expiresAt": .property { (credentials: Credentials) in .int(credentials.expiresAt) },
    "refreshToken": .property { (credentials: Credentials) in .string(credentials.refreshToken) },
    "viewer": .keys { (credentials: Credentials) in [credentials.viewer.key] },
  ])

  static let payload = Payload.binding(
    more: ["credentials": .values { (payload: Payload) in payload.values }]
  )
}

extension Viewer {
  /// The key of the viewer as a field value: an `Account` for adults.
  var key: GlobalID { Self.key(of: member) }

  static func key(of member: GlobalID) -> GlobalID { member.kind == .child ? member : member.viewed(as: .account) }
}

extension Payload {
  init(credentials: Credentials) { self.init(values: [credentials]) }
}
