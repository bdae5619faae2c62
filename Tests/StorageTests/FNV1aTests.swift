import Basics
import Testing

@testable import Storage

@Suite("FNV-1a")
struct FNV1aTests {
  /// From the test vectors of the hash's authors.
  static let vectors: [(String, UInt64)] = [
    ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C), ("foobar", 0x8594_4171_F739_67E8),
  ]

  @Test(arguments: vectors) func `is the hash with 64 bits, of bytes at once or in parts`(text: String, hash: UInt64) {
    #expect(FNV1a.hash(of: text.utf8) == hash)
    var parts = FNV1a()
    for byte in text.utf8 { parts.add(CollectionOfOne(byte)) }
    #expect(parts.value == hash)
  }

  /// Databases contain it: with another, no server would start with the data of an earlier version.
  @Test(arguments: vectors) func `is the checksum of a migration`(text: String, hash: UInt64) {
    #expect(Migration(1, name: "one", sql: text).checksum == Int64(bitPattern: hash))
  }
}
