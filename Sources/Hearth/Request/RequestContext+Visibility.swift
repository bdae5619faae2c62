import Bytes

/// What responses show of the caller.
extension RequestContext {
  /// The base of URLs in responses.
  var baseURL: String {
    publicURL ?? "http://\(host.map { String(decoding: $0, as: UTF8.self) } ?? "localhost")"
  }

  /// Subscriptions with an equal value produce equal responses and share one execution per event. The base URL is part
  /// of it because responses contain URLs.
  var visibility: AnyHashable { VisibilityKey(member: viewer?.member, baseURL: baseURL) }

  /// Appends what a response shows beside the operation, its variables, the data and the time: the same as
  /// `visibility`, and the session. Returns false for callers without a session, who see little.
  func appendVisibility(to key: inout ByteBuffer) -> Bool {
    guard let viewer, files.isEmpty else { return false }
    key.append(bytesOf: viewer.session.rawValue)
    key.append(bytesOf: viewer.member.rawValue)
    key.append(bytesOf: viewer.family.rawValue)
    if publicURL == nil {
      key.append(bytesOf: host?.count ?? -1)
      if let host { key.append(host) }
    }
    return true
  }

  private struct VisibilityKey: Hashable {
    let member: GlobalID?
    let baseURL: String
  }
}
