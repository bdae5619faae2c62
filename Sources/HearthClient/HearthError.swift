import Foundation

/// An entry of a response's `errors`.
public struct GraphQLError: Decodable, Error, Hashable, Sendable, CustomStringConvertible {
  /// A location in the document, counted from 1.
  public struct Location: Decodable, Hashable, Sendable {
    /// The number of the line.
    public let line: Int
    /// The number of the character in the line.
    public let column: Int
  }

  /// A step of the path to a field of the response.
  public enum PathSegment: Decodable, Hashable, Sendable {
    /// The response key of a field: its alias, or its name.
    case key(String)
    /// The index of an entry of a list.
    case index(Int)

    public init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let index = try? container.decode(Int.self) {
        self = .index(index)
      } else {
        self = .key(try container.decode(String.self))
      }
    }
  }

  private struct Extensions: Decodable, Hashable {
    let code: String?
    let retryAfter: Double?
  }

  /// A description for developers.
  public let message: String
  /// The locations in the document to which the error belongs.
  public let locations: [Location]?
  /// The field of the response to which the error belongs. Nil for an error of the whole request.
  public let path: [PathSegment]?
  private let extensions: Extensions?

  /// An error that the client itself finds.
  init(code: String, message: String) {
    self.message = message
    (locations, path) = (nil, nil)
    extensions = Extensions(code: code, retryAfter: nil)
  }

  /// The stable code of the error.
  public var code: String { extensions?.code ?? "" }
  /// The seconds after which the server wants the request again.
  var retryAfter: Double? { extensions?.retryAfter }
  /// Whether the session of the request's token has ended.
  var endsSession: Bool { code == "TOKEN_REVOKED" || code == "SESSION_ENDED" }
  public var description: String { code.isEmpty ? message : "\(code): \(message)" }
}

/// Why there is no response, or no data.
public enum HearthError: Error, Sendable {
  /// The server could not be reached, or the connection broke.
  case unreachable(URLError)
  /// The response is not a GraphQL response, but for example that of a proxy.
  case notGraphQL(status: Int, body: Data)
  /// The response contains errors.
  case failed([GraphQLError])
  /// The response does not match the generated types: the client is older or newer than the server.
  case unexpectedData(String)
  /// The client has no session, or its session has ended: the codes say which. The list of errors is empty if a
  /// subscription ends because the app has signed out, or because another client has signed in.
  case signedOut([GraphQLError])

  /// The codes of the response's errors.
  public var codes: [String] {
    switch self {
    case .failed(let errors), .signedOut(let errors): errors.map(\.code)
    default: []
    }
  }

  /// Whether the request may have been executed although there is no response: the connection broke, or a proxy did not
  /// reach the server.
  var isLostResponse: Bool {
    switch self {
    case .unreachable(let error): error.code != .cancelled
    case .notGraphQL(let status, _): (502...504).contains(status)
    default: false
    }
  }

  /// Whether the session of the request's token has ended.
  var endsSession: Bool {
    guard case .signedOut(let errors) = self else { return false }
    return errors.contains(where: \.endsSession)
  }

  /// Whether the session can still be renewed after a renewal failed with this error: the server did not reject it.
  var leavesSession: Bool {
    switch self {
    case .unreachable, .notGraphQL, .failed: true
    case .unexpectedData, .signedOut: false
    }
  }

  /// Codes of errors of a server that is not available at the moment. An event stream has them with status 200.
  private static let temporaryCodes: Set = [
    "STORAGE_UNAVAILABLE", "OVERLOADED", "TOO_MANY_CONNECTIONS", "RATE_LIMITED", "EVENTS_TOO_FAST", "READ_ONLY",
    "PROVIDER_UNAVAILABLE", "IDEMPOTENT_REQUEST_RUNNING",
  ]

  /// Whether the same request can succeed later: the server could not be reached, or is not available at the moment.
  public var isTemporary: Bool {
    switch self {
    case .unreachable: true
    case .notGraphQL(let status, _): Self.isTemporary(status)
    case .failed(let errors): errors.contains { Self.temporaryCodes.contains($0.code) }
    case .unexpectedData, .signedOut: false
    }
  }

  /// The seconds after which the server wants the request again; 0 if it does not state them.
  var retryAfter: Double {
    guard case .failed(let errors) = self else { return 0 }
    return errors.compactMap(\.retryAfter).max() ?? 0
  }

  /// Whether a response that is not GraphQL is one of a proxy whose server is not available at the moment. Other errors
  /// are about the request itself.
  static func isTemporary(_ status: Int) -> Bool { status >= 500 || status == 429 || status == 408 }

  /// Whether the calling task was cancelled, for example by a view that disappeared. This is not a failure.
  public var isCancellation: Bool {
    if case .unreachable(let error) = self { error.code == .cancelled } else { false }
  }
}

/// The `localizedDescription`, which is for developers. Show users a text for each code instead.
extension HearthError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .unreachable(let error): "The server could not be reached: \(error.localizedDescription)"
    case .notGraphQL(let status, _): "The response is not a GraphQL response (status \(status))."
    case .signedOut([]): "The session has ended."
    case .failed(let errors), .signedOut(let errors): errors.map(\.description).joined(separator: "\n")
    case .unexpectedData(let what): "The response does not match the generated types: \(what)"
    }
  }
}
