import Foundation

/// Names of time zones, as clients and settings give them.
enum TimeZoneName {
  /// Whether a name is one of the IANA database: an area and a place, or UTC. Foundation also takes abbreviations and
  /// offsets ("PST", "GMT+3"), which know nothing of summer time; and its list of known names lacks some of the
  /// database's own, as Asia/Kolkata, so that names are looked up instead.
  static func isValid(_ name: String) -> Bool {
    if name == "UTC" { return true }
    guard name.contains("/"), name.utf8.count <= 64,
      name.utf8.allSatisfy({ isLetterOrDigit($0) || "/_+-".utf8.contains($0) })
    else { return false }
    return TimeZone(identifier: name) != nil
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
