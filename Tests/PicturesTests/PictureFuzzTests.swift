import Basics
import TestSupport
import Testing

@testable import Pictures

@Suite("The parsers survive any bytes")
struct PictureFuzzTests {
  @Test(arguments: PictureSample.allCases)
  func `mutated pictures are parsed or rejected`(sample: PictureSample) {
    let whole = sample.bytes(exif: SamplePicture.exif(), xmp: SamplePicture.xmp + SamplePicture.places)
    var generator = SeededGenerator(seed: 4)
    for _ in 0..<4_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &generator) {
        let offset = Int.random(in: 0..<bytes.count, using: &generator)
        switch Int.random(in: 0..<5, using: &generator) {
        case 0: bytes[offset] = UInt8.random(in: 0...255, using: &generator)
        case 1: bytes[offset] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &generator) ?? 0
        case 2: for at in offset..<min(offset + 4, bytes.count) { bytes[at] = 0xFF }
        case 3: bytes.removeSubrange(offset..<min(offset + 3, bytes.count))
        default: bytes.insert(contentsOf: bytes[offset..<min(offset + 20, bytes.count)], at: offset)
        }
        if bytes.isEmpty { break }
      }
      check(bytes)
    }
  }

  /// A parsed picture keeps its length, and is parsed again in the same way after its position is removed.
  private func check(_ bytes: [UInt8]) {
    guard let inspection = try? PictureInspection(bytes[...]) else { return }
    let clean = inspection.withoutPosition(bytes[...])
    #expect(clean.count == bytes.count)
    guard let again = try? PictureInspection(clean) else {
      Issue.record("It is no picture any more: \(bytes)")
      return
    }
    #expect(again.format == inspection.format)
  }

  /// Each would take hours if the work were not bounded by the number of bytes.
  @Test(.timeLimit(.minutes(20)))
  func `work is bounded by the number of bytes`() {
    let many = 1 << 18
    let names = Array(String(repeating: "GPS", count: many / 3).utf8)
    let spaces = Array("GPSa".utf8) + [UInt8](repeating: 0x20, count: many)
    // A directory in which every entry is a position, each of which has entries of everything.
    var exif = Array("II*\0".utf8) + [8, 0, 0, 0, 0xFF, 0x0F]
    for _ in 0..<0xFFF { exif += [0x25, 0x88, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0] }
    let places = Array(String(repeating: "<a:City>", count: many / 8).utf8)
    let prefixes = Array((0..<(many / 16)).map { "<a\($0):City x='" }.joined().utf8)
    let unclosed = Array(String(repeating: "<![CDATA[<!--<a:City ", count: many / 21).utf8)
    for data in [names, spaces, exif, places, prefixes, unclosed] {
      check(SamplePicture.png(exif: data))
      check(SamplePicture.png(xmp: data))
      check(SamplePicture.heic(exif: data))
      check(SamplePicture.heic(xmp: data))
    }
    check([0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: many))
    check(SamplePicture.jpeg(trailer: [UInt8](repeating: 0, count: many)))
    check(SamplePicture.jpeg(trailer: (0..<2_000).flatMap { _ in SamplePicture.jpeg() }))
    check(SamplePicture.heic(trailer: (0..<50_000).flatMap { _ in SamplePicture.box("free", []) }))
  }
}
