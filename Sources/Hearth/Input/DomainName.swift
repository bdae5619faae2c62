import Foundation

/// The name of a domain in the form in which programs exchange it (RFC 5890).
enum DomainName {
  /// Labels with other characters become A-labels, such as `xn--bcher-kva` for `bücher`.
  ///
  /// Foundation's conversion, that of `URLComponents.encodedHost`, is missing in programs that contain Foundation
  /// statically, as releases do.
  static func ascii(_ name: String) -> String {
    name.split(separator: ".", omittingEmptySubsequences: false).map { label in
      guard !label.utf8.allSatisfy({ $0 < 0x80 }) else { return String(label) }
      let text = label.lowercased().precomposedStringWithCanonicalMapping
      return text.utf8.allSatisfy { $0 < 0x80 } ? text : "xn--" + Punycode.encode(text)
    }.joined(separator: ".")
  }
}
