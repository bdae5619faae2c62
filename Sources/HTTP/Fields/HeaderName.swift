/// The header names that are recognized while a request is parsed, so that a lookup compares one byte.
package enum HeaderName: UInt8, BitwiseCopyable, Sendable, CaseIterable {
  case other
  case te, host, range
  case accept, cookie, expect, origin
  case referer, trailer, upgrade
  case ifMatch, ifRange
  case connection, keepAlive, userAgent
  case traceparent
  case contentType
  case authorization, cacheControl, ifNoneMatch, lastEventID
  case contentLength, secFetchSite
  case acceptEncoding, acceptLanguage, forwardedFor, idempotencyKey
  case contentEncoding
  case secWebSocketKey, transferEncoding, forwardedProto, ifModifiedSince
  case contentDisposition
  case secWebSocketVersion
  case secWebSocketProtocol
  case secWebSocketExtensions

  /// The name in lower case; empty for `other`.
  package var text: StaticString {
    switch self {
    case .other: ""
    case .te: "te"
    case .host: "host"
    case .range: "range"
    case .accept: "accept"
    case .cookie: "cookie"
    case .expect: "expect"
    case .origin: "origin"
    case .referer: "referer"
    case .trailer: "trailer"
    case .upgrade: "upgrade"
    case .ifMatch: "if-match"
    case .ifRange: "if-range"
    case .connection: "connection"
    case .keepAlive: "keep-alive"
    case .userAgent: "user-agent"
    case .traceparent: "traceparent"
    case .contentType: "content-type"
    case .authorization: "authorization"
    case .cacheControl: "cache-control"
    case .ifNoneMatch: "if-none-match"
    case .lastEventID: "last-event-id"
    case .contentLength: "content-length"
    case .secFetchSite: "sec-fetch-site"
    case .acceptEncoding: "accept-encoding"
    case .acceptLanguage: "accept-language"
    case .forwardedFor: "x-forwarded-for"
    case .idempotencyKey: "idempotency-key"
    case .contentEncoding: "content-encoding"
    case .secWebSocketKey: "sec-websocket-key"
    case .transferEncoding: "transfer-encoding"
    case .forwardedProto: "x-forwarded-proto"
    case .ifModifiedSince: "if-modified-since"
    case .contentDisposition: "content-disposition"
    case .secWebSocketVersion: "sec-websocket-version"
    case .secWebSocketProtocol: "sec-websocket-protocol"
    case .secWebSocketExtensions: "sec-websocket-extensions"
    }
  }

  /// The name that `bytes` spell, ignoring case, or `other`. Recognized names consist of letters and hyphens only, so
  /// that their characters need no further check.
  @inline(__always)
  static func recognize(_ bytes: UnsafeRawBufferPointer) -> HeaderName {
    switch bytes.count {
    case 2: return bytes.equalsIgnoringCase("te") ? .te : .other
    case 4: return bytes.equalsIgnoringCase("host") ? .host : .other
    case 5: return bytes.equalsIgnoringCase("range") ? .range : .other
    case 6:
      if bytes.equalsIgnoringCase("accept") { return .accept }
      if bytes.equalsIgnoringCase("cookie") { return .cookie }
      if bytes.equalsIgnoringCase("origin") { return .origin }
      return bytes.equalsIgnoringCase("expect") ? .expect : .other
    case 7:
      if bytes.equalsIgnoringCase("referer") { return .referer }
      if bytes.equalsIgnoringCase("upgrade") { return .upgrade }
      return bytes.equalsIgnoringCase("trailer") ? .trailer : .other
    case 8:
      if bytes.equalsIgnoringCase("if-match") { return .ifMatch }
      return bytes.equalsIgnoringCase("if-range") ? .ifRange : .other
    case 10:
      if bytes.equalsIgnoringCase("user-agent") { return .userAgent }
      if bytes.equalsIgnoringCase("connection") { return .connection }
      return bytes.equalsIgnoringCase("keep-alive") ? .keepAlive : .other
    case 11: return bytes.equalsIgnoringCase("traceparent") ? .traceparent : .other
    case 12: return bytes.equalsIgnoringCase("content-type") ? .contentType : .other
    case 13:
      if bytes.equalsIgnoringCase("authorization") { return .authorization }
      if bytes.equalsIgnoringCase("cache-control") { return .cacheControl }
      if bytes.equalsIgnoringCase("if-none-match") { return .ifNoneMatch }
      return bytes.equalsIgnoringCase("last-event-id") ? .lastEventID : .other
    case 14:
      if bytes.equalsIgnoringCase("content-length") { return .contentLength }
      return bytes.equalsIgnoringCase("sec-fetch-site") ? .secFetchSite : .other
    case 15:
      if bytes.equalsIgnoringCase("accept-encoding") { return .acceptEncoding }
      if bytes.equalsIgnoringCase("accept-language") { return .acceptLanguage }
      if bytes.equalsIgnoringCase("x-forwarded-for") { return .forwardedFor }
      return bytes.equalsIgnoringCase("idempotency-key") ? .idempotencyKey : .other
    case 16: return bytes.equalsIgnoringCase("content-encoding") ? .contentEncoding : .other
    case 17:
      if bytes.equalsIgnoringCase("sec-websocket-key") { return .secWebSocketKey }
      if bytes.equalsIgnoringCase("transfer-encoding") { return .transferEncoding }
      if bytes.equalsIgnoringCase("x-forwarded-proto") { return .forwardedProto }
      return bytes.equalsIgnoringCase("if-modified-since") ? .ifModifiedSince : .other
    case 19: return bytes.equalsIgnoringCase("content-disposition") ? .contentDisposition : .other
    case 21: return bytes.equalsIgnoringCase("sec-websocket-version") ? .secWebSocketVersion : .other
    case 22: return bytes.equalsIgnoringCase("sec-websocket-protocol") ? .secWebSocketProtocol : .other
    case 24: return bytes.equalsIgnoringCase("sec-websocket-extensions") ? .secWebSocketExtensions : .other
    default: return .other
    }
  }
}
