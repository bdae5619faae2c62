import Bytes

/// What responses show of the caller.
extension RequestContext {
  /// The base of URLs in responses.
  var baseURL: String {
    publicURL ?? "http://\(host.map { String(decoding: $0, as: UTF8.self) } ?? "localhost")"
  }

  /// Subscriptions with an equal value produce equal responses and share one execution per event. The base URL is part
  /// of it because responses contain URLs. Only the fields that depend on the session are different for another one of
  /// the member (`Session.current`).
  var visibility: AnyHashable { VisibilityKey(member: unrecordedViewer?.member, baseURL: baseURL) }

  /// Appends what a response shows beside the operation, its variables, the caller, the data and the time.
  func appendBaseURL(to key: inout ByteBuffer) {
    guard publicURL == nil else { return }
    let host = host
    key.append(bytesOf: host?.count ?? -1)
    if let host { key.append(host) }
  }

  private struct VisibilityKey: Hashable {
    let member: GlobalID?
    let baseURL: String
  }
}
