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

  /// Bytes that would cost much more than others if parsing them took more than linear time: each is made in two
  /// sizes.
  enum Costly: String, CaseIterable {
    case names, spaces, directories, places, prefixes, unclosed, markers, trailer, pictures, boxes

    /// Pictures of about `size` bytes.
    func pictures(size: Int) -> [[UInt8]] {
      switch self {
      case .names: Self.pictures(with: repeating("GPS", size: size))
      case .spaces: Self.pictures(with: Array("GPSa".utf8) + [UInt8](repeating: 0x20, count: size))
      case .directories: Self.pictures(with: Self.directory(entries: size / 12))
      case .places: Self.pictures(with: repeating("<a:City>", size: size))
      case .prefixes: Self.pictures(with: Array((0..<(size / 16)).map { "<a\($0):City x='" }.joined().utf8))
      case .unclosed: Self.pictures(with: repeating("<![CDATA[<!--<a:City ", size: size))
      case .markers: [[0xFF, 0xD8] + [UInt8](repeating: 0xFF, count: size)]
      case .trailer: [SamplePicture.jpeg(trailer: [UInt8](repeating: 0, count: size))]
      case .pictures:
        [SamplePicture.jpeg(trailer: (0..<(size / 128)).flatMap { _ in SamplePicture.jpeg() })]
      case .boxes: [SamplePicture.heic(trailer: (0..<(size / 8)).flatMap { _ in SamplePicture.box("free", []) })]
      }
    }

    private func repeating(_ text: String, size: Int) -> [UInt8] {
      Array(String(repeating: text, count: size / text.utf8.count).utf8)
    }

    /// A directory in which every entry is a position, each of which has all entries again.
    private static func directory(entries: Int) -> [UInt8] {
      let count = UInt16(clamping: entries)
      var exif = Array("II*\0".utf8) + [8, 0, 0, 0, UInt8(count & 0xFF), UInt8(count >> 8)]
      for _ in 0..<count { exif += [0x25, 0x88, 4, 0, 1, 0, 0, 0, 8, 0, 0, 0] }
      return exif
    }

    private static func pictures(with data: [UInt8]) -> [[UInt8]] {
      [
        SamplePicture.png(exif: data), SamplePicture.png(xmp: data),
        SamplePicture.heic(exif: data), SamplePicture.heic(xmp: data),
      ]
    }
  }

  /// Sixteen times as many bytes may take sixteen times as long; work that grows with the square would take 256 times
  /// as long. The time is that of the thread's processor, the shortest of several attempts.
  @Test(.timeLimit(.minutes(20)), arguments: Costly.allCases)
  func `work is bounded by the number of bytes`(costly: Costly) {
    let small = costly.pictures(size: 1 << 14)
    let large = costly.pictures(size: 1 << 18)
    for (few, many) in zip(small, large) {
      let time = shortestTime { check(few) }
      let longer = shortestTime { check(many) }
      // What is measured is short: a floor keeps the clock's resolution out of the ratio.
      let limit = 64 * max(time, 20_000)
      #expect(longer < limit, "\(few.count) bytes took \(time) ns, \(many.count) bytes \(longer) ns")
    }
  }

  /// In nanoseconds.
  private func shortestTime(of work: () -> Void) -> UInt64 {
    (0..<4).reduce(UInt64.max) { shortest, _ in
      let start = ThreadClock.nanoseconds
      work()
      return min(shortest, ThreadClock.nanoseconds - start)
    }
  }
}
