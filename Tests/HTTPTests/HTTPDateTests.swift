import Basics
import Foundation
import HTTP
import Testing

@Suite("HTTPDate")
struct HTTPDateTests {
  @Test(arguments: [
    (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
    (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
    (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"), (Int64.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
    (Int64.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
  ])
  func `is an IMF-fixdate`(seconds: Int64, expected: String) {
    #expect(HTTPDate(epochSeconds: seconds).text == expected)
  }

  @Test func `agrees with the system's calendar`() {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<2000 {
      let seconds = Int64.random(in: -11_000_000_000...253_402_300_799, using: &generator)
      let expected = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
      #expect(HTTPDate(epochSeconds: seconds).text == expected)
    }
  }
}
