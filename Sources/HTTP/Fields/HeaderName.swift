/// The header names that are recognized while a request is parsed, so that a lookup compares one byte.
package enum HeaderName: UInt8, Sendable, CaseIterable {
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
    case 2: return spells(bytes, name: "te") ? .te : .other
    case 4: return spells(bytes, name: "host") ? .host : .other
    case 5: return spells(bytes, name: "range") ? .range : .other
    case 6:
      if spells(bytes, name: "accept") { return .accept }
      if spells(bytes, name: "cookie") { return .cookie }
      if spells(bytes, name: "origin") { return .origin }
      return spells(bytes, name: "expect") ? .expect : .other
    case 7:
      if spells(bytes, name: "referer") { return .referer }
      if spells(bytes, name: "upgrade") { return .upgrade }
      return spells(bytes, name: "trailer") ? .trailer : .other
    case 8:
      if spells(bytes, name: "if-match") { return .ifMatch }
      return spells(bytes, name: "if-range") ? .ifRange : .other
    case 10:
      if spells(bytes, name: "user-agent") { return .userAgent }
      if spells(bytes, name: "connection") { return .connection }
      return spells(bytes, name: "keep-alive") ? .keepAlive : .other
    case 11: return spells(bytes, name: "traceparent") ? .traceparent : .other
    case 12: return spells(bytes, name: "content-type") ? .contentType : .other
    case 13:
      if spells(bytes, name: "authorization") { return .authorization }
      if spells(bytes, name: "cache-control") { return .cacheControl }
      if spells(bytes, name: "if-none-match") { return .ifNoneMatch }
      return spells(bytes, name: "last-event-id") ? .lastEventID : .other
    case 14:
      if spells(bytes, name: "content-length") { return .contentLength }
      return spells(bytes, name: "sec-fetch-site") ? .secFetchSite : .other
    case 15:
      if spells(bytes, name: "accept-encoding") { return .acceptEncoding }
      if spells(bytes, name: "accept-language") { return .acceptLanguage }
      if spells(bytes, name: "x-forwarded-for") { return .forwardedFor }
      return spells(bytes, name: "idempotency-key") ? .idempotencyKey : .other
    case 16: return spells(bytes, name: "content-encoding") ? .contentEncoding : .other
    case 17:
      if spells(bytes, name: "sec-websocket-key") { return .secWebSocketKey }
      if spells(bytes, name: "transfer-encoding") { return .transferEncoding }
      if spells(bytes, name: "x-forwarded-proto") { return .forwardedProto }
      return spells(bytes, name: "if-modified-since") ? .ifModifiedSince : .other
    case 19: return spells(bytes, name: "content-disposition") ? .contentDisposition : .other
    case 21: return spells(bytes, name: "sec-websocket-version") ? .secWebSocketVersion : .other
    case 22: return spells(bytes, name: "sec-websocket-protocol") ? .secWebSocketProtocol : .other
    case 24: return spells(bytes, name: "sec-websocket-extensions") ? .secWebSocketExtensions : .other
    default: return .other
    }
  }

  /// Compares a word at a time, of which the last two can overlap. Where the name has a letter, bit 5 of the compared
  /// byte is set, which maps a capital letter to lower case and no other byte to a letter. A hyphen must be a hyphen.
  @inline(__always)
  private static func spells(_ bytes: UnsafeRawBufferPointer, name: StaticString) -> Bool {
    let length = name.utf8CodeUnitCount
    guard bytes.count == length, let base = bytes.baseAddress else { return false }
    let text = UnsafeRawPointer(name.utf8Start)
    var at = 0
    while length >= 8, at < length {
      let first = min(at, length &- 8)
      let expected = text.loadUnaligned(fromByteOffset: first, as: UInt64.self)
      let letters = (expected & 0x4040_4040_4040_4040) &>> 1
      if base.loadUnaligned(fromByteOffset: first, as: UInt64.self) | letters != expected { return false }
      at = first &+ 8
    }
    while at < length {
      let expected = text.load(fromByteOffset: at, as: UInt8.self)
      let letter = (expected & 0x40) &>> 1
      if base.load(fromByteOffset: at, as: UInt8.self) | letter != expected { return false }
      at &+= 1
    }
    return true
  }
}
