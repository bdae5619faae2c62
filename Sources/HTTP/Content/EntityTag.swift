/// Compares an entity tag with those of a request (RFC 9110, sections 8.8.3 and 13.1).
package enum EntityTag {
  /// Whether If-None-Match contains the tag, by weak comparison.
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

  /// Whether If-Range allows a partial response: the tag is the same, and strong. Dates never match, because no
  /// resource has one here.
  package static func allowsRange(_ tag: String, ifRange: ArraySlice<UInt8>?) -> Bool {
    guard let ifRange else { return true }
    return String(decoding: ifRange, as: UTF8.self) == tag
  }
}
