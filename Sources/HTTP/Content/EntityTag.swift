/// Comparing an entity tag with those of a request (RFC 9110, sections 8.8.3 and 13.1).
package enum EntityTag {
  /// Whether an If-None-Match names the tag, whichever way it is marked: weak comparison.
  package static func isNamed(_ tag: String, by headers: [ArraySlice<UInt8>]) -> Bool {
    headers.contains { header in
      header.equals("*")
        || header.split(separator: UInt8(ascii: ",")).contains { member in
          let text = String(decoding: member, as: UTF8.self).drop { $0 == " " || $0 == "\t" }
          let bare = text.hasPrefix("W/") ? text.dropFirst(2) : text
          return bare.prefix { $0 != " " && $0 != "\t" } == tag
        }
    }
  }

  /// Whether a range may be sent (If-Range): the tag is the same, and a strong one. A date never is, as nothing here
  /// has one.
  package static func allowsRange(_ tag: String, ifRange: ArraySlice<UInt8>?) -> Bool {
    guard let ifRange else { return true }
    return String(decoding: ifRange, as: UTF8.self) == tag
  }
}
