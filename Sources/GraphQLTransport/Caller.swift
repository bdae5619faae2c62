import HTTP

/// What a request says about its caller: in its headers, or in those of the connection that carries it.
package struct Caller: Sendable {
  /// Bytes that contain the authorization and the host, usually those of the request. A request is identified and
  /// executed with copies of its caller: one reference costs less than one for each part.
  private let text: [UInt8]
  private let authorizationRange: Range<Int>?
  private let hostRange: Range<Int>?
  /// The client's address, as far as it is trustworthy.
  package let address: String?
  /// The request, if the service reads other headers of it.
  private let kept: KeptRequest?

  /// Boxed because a request is as large as a dozen references: copying it for each caller took a twentieth of the
  /// instructions of `{ __typename }`.
  private final class KeptRequest: Sendable {
    let request: HTTPRequest
    let connectionParameters: [String: String]

    init(_ request: HTTPRequest, connectionParameters: [String: String] = [:]) {
      self.request = request
      self.connectionParameters = connectionParameters
    }
  }

  /// The value of the Authorization header, such as `Bearer …`.
  package var authorization: ArraySlice<UInt8>? { authorizationRange.map { text[$0] } }
  /// The token of the Authorization header (RFC 6750, section 2.1); nil if it has another form.
  package var bearerToken: ArraySlice<UInt8>? {
    guard let range = authorizationRange else { return nil }
    // Read in place: each slice would be retained.
    let length = text.withUnsafeBytes { bytes in
      BearerToken.length(in: UnsafeRawBufferPointer(rebasing: bytes[range]))
    }
    return length.map { text[range.suffix($0)] }
  }
  /// Whether there is an Authorization header.
  package var hasAuthorization: Bool { authorizationRange != nil }
  /// The host that the client addressed.
  package var host: ArraySlice<UInt8>? { hostRange.map { text[$0] } }
  /// The request; nil if the service does not keep it: see `CallerIdentification.keepsRequest`.
  package var request: HTTPRequest? { kept?.request }
  /// The texts in the payload of a WebSocket's `connection_init`; empty if the service does not keep requests.
  package var connectionParameters: [String: String] { kept?.connectionParameters ?? [:] }
}

// Initializers are in an extension: the one of the members makes a caller without a copy.
extension Caller {
  package init(_ request: borrowing HTTPRequest, address: String? = nil, keepsRequest: Bool) {
    self.init(
      text: request.bytes,
      authorizationRange: request.range(of: .authorization),
      hostRange: request.hostRange,
      address: address,
      kept: keepsRequest ? KeptRequest(copy request) : nil
    )
  }

  /// A caller whose request was not received.
  package init(authorization: ArraySlice<UInt8>?, address: String?) {
    self.init(
      text: Array(authorization ?? []),
      authorizationRange: authorization.map { 0..<$0.count },
      hostRange: nil,
      address: address,
      kept: nil
    )
  }

  /// A copy for a connection that outlives the request. Unless the request is kept, only these few bytes stay in
  /// memory.
  func forConnection() -> Caller { with(authorization: authorization) }

  /// A copy with the texts in the payload of `connection_init`, if the request is kept.
  func with(connectionParameters: [String: String]) -> Caller {
    Caller(
      text: text,
      authorizationRange: authorizationRange,
      hostRange: hostRange,
      address: address,
      kept: kept.map { KeptRequest($0.request, connectionParameters: connectionParameters) }
    )
  }

  /// A copy with the authorization of a message instead of the request's.
  func with(authorization: ArraySlice<UInt8>?) -> Caller {
    let host = host
    // Exactly as many bytes as are kept: the result of `+` has room for more.
    var text: [UInt8] = []
    text.reserveCapacity((authorization?.count ?? 0) + (host?.count ?? 0))
    if let authorization { text += authorization }
    let end = text.count
    if let host { text += host }
    return Caller(
      text: text,
      authorizationRange: authorization == nil ? nil : 0..<end,
      hostRange: host == nil ? nil : end..<text.count,
      address: address,
      kept: kept
    )
  }

  /// A copy for the events of a subscription, whose subscriber is known.
  package func withoutAuthorization() -> Caller {
    Caller(text: text, authorizationRange: nil, hostRange: hostRange, address: address, kept: kept)
  }
}
