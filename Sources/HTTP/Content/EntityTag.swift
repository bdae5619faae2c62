/// Compares an entity tag with those of a request (RFC 9110, sections 8.8.3 and 13.1).
package enum EntityTag {
  /// The response to a GET or HEAD whose preconditions do not let the representation be sent: 412 or 304; nil if it can
  /// be sent. They are evaluated in the order of RFC 9110, section 13.2.2. Those with dates are ignored, as it
  /// requires for resources without one.
  ///
  /// - Parameters:
  ///   - tag: The tag of the representation, which is strong.
  ///   - headers: The headers of the representation.
  package static func response(
    toPreconditionsOf request: HTTPRequest,
    tag: String,
    headers: HeaderBlock
  ) -> HTTPResponse? {
    if request.has(.ifMatch), !isNamed(tag, by: request.values(of: .ifMatch), comparison: .strong) {
      return .text(.preconditionFailed, text: "The entity tag of this resource is not one of those in If-Match.\n")
    }
    if request.has(.ifNoneMatch), isNamed(tag, by: request.values(of: .ifNoneMatch), comparison: .weak) {
      return HTTPResponse(.notModified, headers: headers)
    }
    return nil
  }

  /// How tags are compared (RFC 9110, section 8.8.3.2).
  package enum Comparison: Sendable {
    /// A weak tag is not the same as any other.
    case strong
    case weak
  }

  /// Whether If-Match or If-None-Match contains the tag.
  package static func isNamed(_ tag: String, by headers: [ArraySlice<UInt8>], comparison: Comparison) -> Bool {
    let tag = Array(tag.utf8)
    return headers.contains { header in
      header.equals("*") || header.withUnsafeBytes { isNamed(tag, in: $0, comparison) }
    }
  }

  /// Compares bytes: of a header of 32 KB, a comparison of characters takes the loop 4 ms.
  private static func isNamed(_ tag: [UInt8], in list: UnsafeRawBufferPointer, _ comparison: Comparison) -> Bool {
    var isNamed = false
    list.forEachListMember { member in
      let isWeak = member.count > 2 && member[0] == UInt8(ascii: "W") && member[1] == UInt8(ascii: "/")
      let bare = isWeak && comparison == .weak ? UnsafeRawBufferPointer(rebasing: member[2...]) : member
      if bare.count == tag.count && bare.elementsEqual(tag) { isNamed = true }
    }
    return isNamed
  }

  /// Whether If-Range allows a partial response: the tag is the same, and strong. Dates never match, because no
  /// resource has one here.
  package static func allowsRange(_ tag: String, ifRange: ArraySlice<UInt8>?) -> Bool {
    guard let ifRange else { return true }
    return ifRange.elementsEqual(tag.utf8)
  }
}
