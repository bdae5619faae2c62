/// Percent-encoding (RFC 3986, section 2.1).
package enum PercentEncoding {
  /// The text that `bytes` encode. `+` stands for a space in forms and queries, for itself in paths.
  ///
  /// A path must be split at its slashes before its parts are decoded: a decoded part may have a slash, or be `..`.
  package static func decode(
    _ bytes: ArraySlice<UInt8>,
    plusIsSpace: Bool
  ) throws(PercentEncodingError) -> String {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(bytes.count)
    var at = bytes.startIndex
    while at < bytes.endIndex {
      let byte = bytes[at]
      switch byte {
      case UInt8(ascii: "%"):
        guard bytes.endIndex - at > 2, let high = bytes[at + 1].hexValue, let low = bytes[at + 2].hexValue else {
          throw .malformedEscape
        }
        decoded.append(high << 4 | low)
        at += 3
      case UInt8(ascii: "+") where plusIsSpace:
        decoded.append(0x20)
        at += 1
      default:
        decoded.append(byte)
        at += 1
      }
    }
    guard let text = String(validating: decoded, as: UTF8.self) else { throw .invalidUTF8 }
    return text
  }
}

package enum PercentEncodingError: Error, Equatable, CustomStringConvertible {
  case malformedEscape
  case invalidUTF8
  case tooManyFields(limit: Int)

  package var description: String {
    switch self {
    case .malformedEscape: "A % is not followed by two hexadecimal digits."
    case .invalidUTF8: "The percent-encoded bytes are not UTF-8."
    case .tooManyFields(let limit): "There are more than \(limit) fields."
    }
  }
}
