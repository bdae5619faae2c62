import TestSupport
import Testing

@testable import Pictures

@Suite("A picture is known by its content")
struct PictureInspectionTests {
  private func inspect(_ bytes: [UInt8]) throws(PictureFault) -> PictureInspection { try PictureInspection(bytes[...]) }

  @Test(arguments: PictureSample.allCases)
  func `its format and its size are read from its bytes, wherever they lie`(sample: PictureSample) throws {
    let bytes = sample.bytes(width: 640, height: 480)
    let inspection = try inspect(bytes)
    #expect("\(inspection.format)" == sample.rawValue)
    #expect(inspection.width == 640 && inspection.height == 480)
    #expect(inspection.withoutPosition(bytes[...]) == bytes[...])
    let within = ([1, 2, 3] + bytes).dropFirst(3)
    #expect(try PictureInspection(within) == inspection)
  }

  @Test(arguments: PictureSample.allCases)
  func `truncated pictures are rejected`(sample: PictureSample) {
    let bytes = sample.bytes(exif: SamplePicture.exif(), xmp: SamplePicture.xmp)
    for count in 0..<bytes.count {
      #expect(throws: PictureFault.self, "\(count) of \(bytes.count)") { try inspect(Array(bytes.prefix(count))) }
    }
  }

  @Test(arguments: [
    [], Array("GIF89a".utf8), Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8), Array("%PDF-1.7".utf8),
    [UInt8](repeating: 0, count: 64), Array("BM".utf8), SamplePicture.heic(brand: "avif"),
    SamplePicture.heic(brand: "mp42"),
  ])
  func `other formats are unknown`(bytes: [UInt8]) {
    #expect(throws: PictureFault.unknownFormat) { try inspect(bytes) }
  }

  @Test func `inconsistent pictures are rejected`() {
    var secondFrame = SamplePicture.jpeg()
    secondFrame.replaceSubrange(2..<2, with: [0xFF, 0xC0, 0, 11, 8, 0, 9, 0, 9, 1, 1, 0x11, 0])
    let lying: [[UInt8]] = [
      secondFrame, SamplePicture.jpeg(width: 0), SamplePicture.jpeg(height: 0), SamplePicture.png(width: 0),
      SamplePicture.png(width: 1 << 31), SamplePicture.webp(canvas: (41, 30)), SamplePicture.heic(width: 0),
    ]
    for bytes in lying { #expect(throws: PictureFault.damaged) { try inspect(bytes) } }
  }

  /// Decoders take time proportional to the square of the number.
  @Test func `a JPEG with thousands of segments is rejected`() throws {
    let plain = SamplePicture.jpeg()
    func picture(_ count: Int) -> [UInt8] {
      plain[..<2] + (0..<count).flatMap { _ in [0xFF, 0xED, 0, 3, 0x61] as [UInt8] } + plain[2...]
    }
    #expect(try inspect(picture(1_900)).width == 40)
    #expect(throws: PictureFault.damaged) { try inspect(picture(2_000)) }
    // As a further picture of the file it is blanked.
    let bytes = plain + picture(2_000)
    let blanked = plain + [UInt8](repeating: 0, count: bytes.count - plain.count)
    #expect(Array(try inspect(bytes).withoutPosition(bytes[...])) == blanked)
  }

  @Test(arguments: PictureSample.allCases)
  func `its format is known from its first bytes`(sample: PictureSample) throws {
    let bytes = sample.bytes()
    #expect(PictureFormat(signature: bytes.prefix(PictureFormat.signatureBytes)) == (try inspect(bytes).format))
    #expect(PictureFormat(signature: Array("GIF89a GIF89a".utf8)[...]) == nil)
  }

  @Test(arguments: 0...3 as ClosedRange<UInt8>)
  func `a part of a HEIC may be shown`(quarters: UInt8) throws {
    let shown = try inspect(SamplePicture.heic(width: 64, height: 64, quarters: quarters, aperture: (64, 48)))
    #expect([shown.width, shown.height] == (quarters % 2 == 0 ? [64, 48] : [48, 64]))
    for empty in [(0, 48), (64, 0)] {
      #expect(throws: PictureFault.damaged) { try inspect(SamplePicture.heic(width: 64, height: 64, aperture: empty)) }
    }
  }

  @Test(arguments: 1...8)
  func `it is as wide as it is shown`(orientation: Int) throws {
    let exif = SamplePicture.exif(orientation: orientation, order: orientation % 2 == 0 ? .big : .little)
    for bytes in [SamplePicture.jpeg(exif: exif), SamplePicture.png(exif: exif), SamplePicture.webp(exif: exif)] {
      #expect(try inspect(bytes).width == (orientation < 5 ? 40 : 30))
      #expect(try inspect(bytes).height == (orientation < 5 ? 30 : 40))
    }
    // HEIF says it itself.
    #expect(try inspect(SamplePicture.heic(exif: exif)).width == 40)
    #expect(
      try inspect(SamplePicture.heic(exif: exif, quarters: UInt8(orientation % 4))).width == [40, 30][orientation % 2]
    )
  }
}
