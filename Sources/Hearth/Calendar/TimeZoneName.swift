import Foundation

/// Names of time zones, as given by clients and settings.
enum TimeZoneName {
  /// Whether a name is in the IANA database: an area and a location, or UTC. Foundation also accepts abbreviations and
  /// offsets ("PST", "GMT+3"), which ignore summer time. Its list of known names lacks some names of the database, such
  /// as Asia/Kolkata. Names are therefore looked up instead.
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
