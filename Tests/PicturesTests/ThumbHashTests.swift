import Foundation
import Testing

@testable import Pictures

@Suite("Previews of pictures")
struct ThumbHashTests {
  /// Colours that differ in every pixel.
  private static func pixels(_ width: Int, _ height: Int, transparent: Bool) -> [UInt8] {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width {
        let (red, green, blue) = (x * 255 / width, y * 255 / height, x * y * 7 % 256)
        pixels += [
          UInt8(red), UInt8(green), UInt8(blue), transparent ? UInt8((x * x * 5 + y * 31 + x * y) % 256) : 255,
        ]
      }
    }
    return pixels
  }

  /// The expected hashes come from an independent implementation of the published algorithm.
  @Test(arguments: [
    (16, 12, false, "XAgOJZpgdndwiIiGiGiIh+KjD/iI"),
    (12, 30, false, "XfgNIxpgcXeHdod20pAL94g="),
    (20, 20, true, "HviFFQwHcHaAiIdoiMGAC/eHFmaWdTYjBg=="),
    (100, 3, false, "2FgOMZpzd4aAiGiIkHsO+Ic="),
    (1, 1, false, "AAgCBwAAAAAAAAAAAAAAAAAAAAAAAAAA"),
  ])
  func `are as other implementations make them`(width: Int, height: Int, transparent: Bool, expected: String) {
    let pixels = Self.pixels(width, height, transparent: transparent)
    // As a part of a longer array.
    let hash = ThumbHash(width: width, height: height, pixels: ([9, 9] + pixels).dropFirst(2))
    #expect(hash.map { Data($0.bytes).base64EncodedString() } == expected)
  }

  @Test(arguments: [(0, 1, 0), (101, 1, 404), (1, 101, 404), (2, 2, 15), (2, 2, 17), (-1, -1, 4)])
  func `need the pixels of a small picture`(width: Int, height: Int, count: Int) {
    #expect(ThumbHash(width: width, height: height, pixels: [UInt8](repeating: 1, count: count)[...]) == nil)
  }

  @Test func `of transparent and extreme pixels do not overflow`() {
    for value in [0, 255] as [UInt8] {
      for alpha in [0, 1, 254, 255] as [UInt8] {
        var pixels: [UInt8] = []
        for _ in 0..<50 { pixels += [value, value, value, alpha, 255 - value, 0, value, alpha] }
        #expect(ThumbHash(width: 10, height: 10, pixels: pixels[...]) != nil)
      }
    }
  }
}
