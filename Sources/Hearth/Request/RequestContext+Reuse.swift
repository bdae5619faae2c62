import Bytes
import GraphQLTransport
import Storage

/// Responses that are sent again (`ResponseCache`).
///
/// It is exact by construction. What a resolver reads comes from the context: rows come with their versions, what is
/// read of the caller narrows the `audience`, and everything else that can change ends `isReusable`.
extension RequestContext {
  /// Nil for callers without a session, who see little.
  func beginReuse(key: inout ByteBuffer) -> ResponseAudiences? {
    forgetDay()
    forgetAudience()
    isReusable = false
    guard let unrecordedViewer, files.isEmpty, currentReader.beginVersionedRead() else { return nil }
    isReusable = true
    appendBaseURL(to: &key)
    return ResponseAudiences(
      group: unrecordedViewer.key(of: .family),
      member: unrecordedViewer.key(of: .member),
      session: unrecordedViewer.key(of: .session)
    )
  }

  var responseValidity: (validity: ResponseValidity, audience: UInt64)? {
    guard isReusable, let unrecordedViewer, let data = currentReader.dataVersion else { return nil }
    return (ResponseValidity(data: data, times: day), unrecordedViewer.key(of: audience))
  }

  func isValid(_ validity: ResponseValidity) throws(DatabaseError) -> Bool {
    guard try currentReader.isCurrent(validity.data) else { return false }
    return validity.times.map(began) ?? true
  }
}
