import Bytes
import Storage

/// Responses that are sent again (`ResponseCache`).
///
/// It is exact by construction. What a resolver reads comes from the context: rows come with the version of their
/// tables, the caller is part of the key, and everything else that can change ends `isReusable`.
extension RequestContext {
  func beginReuse(key: inout ByteBuffer) -> Bool {
    forgetDay()
    isReusable = appendVisibility(to: &key) && currentReader.beginVersionedRead()
    return isReusable
  }

  var responseValidity: ResponseValidity? {
    guard isReusable, let data = currentReader.dataVersion else { return nil }
    return ResponseValidity(data: data, times: day)
  }

  func isValid(_ validity: ResponseValidity) -> Bool {
    guard currentReader.isCurrent(validity.data) else { return false }
    return validity.times.map(began) ?? true
  }
}
