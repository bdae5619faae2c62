import Foundation

/// An error of an answer's `errors`.
public struct GraphQLError: Decodable, Error, Hashable, Sendable, CustomStringConvertible {
  public struct Location: Decodable, Hashable, Sendable {
    public let line: Int
    public let column: Int
  }

  public enum PathSegment: Decodable, Hashable, Sendable {
    case key(String)
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
  }

  public let message: String
  public let locations: [Location]?
  public let path: [PathSegment]?
  private let extensions: Extensions?

  /// What programs tell errors by: it does not change.
  public var code: String { extensions?.code ?? "" }
  public var description: String { code.isEmpty ? message : "\(code): \(message)" }
}

/// Why there is no answer.
public enum HearthError: Error, Sendable {
  /// The server was not reached, or the connection broke.
  case unreachable(URLError)
  /// What came is not an answer of GraphQL's: a proxy's, say.
  case notGraphQL(status: Int, body: Data)
  /// The answer has errors.
  case failed([GraphQLError])
  /// The answer does not fit the generated types: the client is older or newer than the server.
  case unexpectedData(String)
  /// Nobody is signed in, or the session is over: its codes say which.
  case signedOut([GraphQLError])

  /// The codes of the answer's errors.
  public var codes: [String] {
    switch self {
    case .failed(let errors), .signedOut(let errors): errors.map(\.code)
    default: []
    }
  }

  /// The task that asked was cancelled: a view that is gone, say. Nothing went wrong.
  public var isCancellation: Bool {
    if case .unreachable(let error) = self { error.code == .cancelled } else { false }
  }
}

/// What `localizedDescription` says, for developers: to people, tell what the codes mean to them.
extension HearthError: LocalizedError {
  public var errorDescription: String? {
    switch self {
    case .unreachable(let error): "The server was not reached: \(error.localizedDescription)"
    case .notGraphQL(let status, _): "What came is no answer of GraphQL's (status \(status))."
    case .failed(let errors), .signedOut(let errors): errors.map(\.description).joined(separator: "\n")
    case .unexpectedData(let what): "The answer does not fit the generated types: \(what)"
    }
  }
}
