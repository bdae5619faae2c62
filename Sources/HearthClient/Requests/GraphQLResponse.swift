import Foundation

/// A response: data and errors.
public struct GraphQLResponse<Data: Decodable & Sendable>: Decodable, Sendable {
  /// Nil if the request failed as a whole, or if an error reached the root.
  public let data: Data?
  /// Empty if the request succeeded.
  public let errors: [GraphQLError]

  /// The position of a subscription's event, if it has one.
  let position: String?
  /// Whether the server, or the proxy in front of it, could not serve the request at the moment (status 503).
  var isUnavailable = false

  private enum CodingKeys: String, CodingKey {
    case data, errors, extensions
  }
  private struct Extensions: Decodable {
    let position: String?
  }

  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    errors = try container.decodeIfPresent([GraphQLError].self, forKey: .errors) ?? []
    data = try container.decodeIfPresent(Data.self, forKey: .data)
    position = try container.decodeIfPresent(Extensions.self, forKey: .extensions)?.position
    guard data != nil || !errors.isEmpty else {
      throw DecodingError.dataCorruptedError(forKey: .data, in: container, debugDescription: "neither data nor errors")
    }
  }

  /// The data; throws if the response contains any error.
  func get() throws(HearthError) -> Data {
    if let data, errors.isEmpty { return data }
    throw errors.contains { Self.signedOut.contains($0.code) } ? .signedOut(errors) : .failed(errors)
  }

  private static var signedOut: Set<String> {
    ["UNAUTHENTICATED", "TOKEN_EXPIRED", "TOKEN_REVOKED", "TOKEN_MALFORMED", "SESSION_ENDED"]
  }

  /// Whether the access token has expired and must be renewed.
  var hasExpired: Bool { errors.contains { $0.code == "TOKEN_EXPIRED" } }

  /// Whether the server began to execute the operation: errors of the request have no path.
  var isExecuted: Bool { data != nil || errors.contains { $0.path != nil } }

  /// Whether the same mutation, sent before, is still being executed.
  var isStillRunning: Bool { errors.contains { $0.code == "IDEMPOTENT_REQUEST_RUNNING" } }

  /// Whether a renewal was executed before, and cannot be repeated: its session has ended since, or its new refresh
  /// token was used, or it was sent as another document.
  var isSpent: Bool { errors.contains { $0.code == "RESPONSE_NOT_KEPT" || $0.code == "IDEMPOTENCY_KEY_REUSED" } }

  static func decode(_ bytes: Foundation.Data) throws -> Self {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let date = ISO8601Moment.date(text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\(text) is not a moment")
      }
      return date
    }
    return try decoder.decode(Self.self, from: bytes)
  }
}
