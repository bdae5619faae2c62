import TestSupport
import Testing

@testable import Pictures

@Suite("Where a picture was taken is taken out of its texts")
struct PictureTextTests {
  private static let place = "51,30.4567N"

  private func cleaned(_ bytes: [UInt8]) throws -> [UInt8] {
    Array(try PictureInspection(bytes[...]).withoutPosition(bytes[...]))
  }

  private func contains(_ bytes: [UInt8], _ text: String) -> Bool {
    let part = Array(text.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  /// A chunk of a PNG with its length and checksum.
  private func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let whole = Array(type.utf8) + data
    let number = { (value: UInt32) in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
    return number(UInt32(data.count)) + whole + number(SamplePicture.checksum(whole))
  }

  /// A PNG with a chunk behind its header.
  private func picture(with chunk: [UInt8]) -> [UInt8] {
    let plain = SamplePicture.png()
    return plain[..<33] + chunk + plain[33...]
  }

  @Test(arguments: ["exif:GPSLatitude", "Comment", "Description", "Raw profile type exif", "XML:com.adobe.xmp", ""])
  func `texts of a PNG are removed`(keyword: String) throws {
    for type in ["tEXt", "zTXt", "iTXt"] {
      // That of an international text is said to be compressed.
      let head = Array(keyword.utf8) + (type == "iTXt" ? [0, 1, 0, 0, 0] : [0])
      let bytes = picture(with: chunk(type, head + Array(Self.place.utf8)))
      let clean = try cleaned(bytes)
      #expect(!contains(clean, Self.place) && !contains(clean, type), "\(type)")
      if !keyword.isEmpty { #expect(!contains(clean, keyword), "\(type)") }
      // The chunk is one that readers skip, with a sum that is right.
      #expect(clean == picture(with: chunk("blNk", [UInt8](repeating: 0, count: head.count + Self.place.utf8.count))))
      #expect(try cleaned(clean) == clean)
    }
  }

  @Test(arguments: [
    "Title", "Author", "Copyright", "Creation Time", "Software", "Disclaimer", "Warning", "Source",
  ])
  func `texts of a PNG that say nothing about the place are kept`(keyword: String) throws {
    for type in ["tEXt", "zTXt", "iTXt"] {
      let bytes = picture(with: chunk(type, Array("\(keyword)\0A tent".utf8)))
      #expect(try cleaned(bytes) == bytes)
      // Only the whole keyword counts.
      let other = picture(with: chunk(type, Array("\(keyword)s\0A tent".utf8)))
      #expect(!contains(try cleaned(other), "A tent"))
    }
  }

  @Test(arguments: [PictureSample.png, .webp])
  func `XMP that is longer than any program needs is removed`(sample: PictureSample) throws {
    for (count, isKept) in [((1 << 20) - 100, true), ((1 << 20) + 1, false)] {
      let xmp = Array("<x:a>A tent</x:a>".utf8) + [UInt8](repeating: 0x20, count: count - 17)
      let bytes = sample.bytes(xmp: xmp)
      let clean = try cleaned(bytes)
      #expect(clean.count == bytes.count)
      #expect(contains(clean, "A tent") == isKept, "\(count)")
      #expect(try cleaned(clean) == clean)
    }
  }

  @Test func `also if a JPEG has it in many segments`() throws {
    let head = Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 0x41, count: 32 + 4)
    func picture(_ count: Int) -> [UInt8] {
      let segments = (0..<count).flatMap { number -> [UInt8] in
        let text = Array("<x:a>A tent</x:a>".utf8) + [UInt8](repeating: 0x20, count: 60_000)
        let offset = number * text.count
        let body = head + (0..<4).map { UInt8(truncatingIfNeeded: offset >> (24 - 8 * $0)) } + text
        return [0xFF, 0xE1, UInt8((body.count + 2) >> 8), UInt8((body.count + 2) & 0xFF)] + body
      }
      let plain = SamplePicture.jpeg()
      return plain[..<2] + segments + plain[2...]
    }
    #expect(contains(try cleaned(picture(17)), "A tent"))
    #expect(!contains(try cleaned(picture(18)), "A tent"))
  }

  /// The ways in which programs write positions. Each value contains `51,30.4567N`.
  static let positions = [
    #"<exif:GPSLatitude xml:lang="x-default">51,30.4567N</exif:GPSLatitude>"#,
    #"<exif:GPSAltitude rdf:parseType="Resource"><rdf:value>51,30.4567N</rdf:value></exif:GPSAltitude>"#,
    "<exif:GPSAltitude><rdf:Description><rdf:value>51,30.4567N</rdf:value></rdf:Description></exif:GPSAltitude>",
    #"<exif:GPSAltitude rdf:value="51,30.4567N"/>"#,
    #"<rdf:Description exif:GPSLatitude="51,30.4567N" exif:GPSLongitude = '51,30.4567N'/>"#,
    "<GPSLatitude><![CDATA[51,30.4567N]]></GPSLatitude>",
    #"<rdf:Description drone-dji:GpsLatitude="51,30.4567N"/>"#,
    "<x:Latitude>51,30.4567N</x:Latitude><x:Longitude>51,30.4567N</x:Longitude>",
  ]

  @Test(arguments: PictureSample.allCases)
  func `positions are removed from XMP however they are written, and it stays XML`(sample: PictureSample) throws {
    for position in Self.positions {
      let xmp = #"<x:xmpmeta><rdf:Description dc:title="A tent"/>\#(position)</x:xmpmeta>"#
      let bytes = sample.bytes(xmp: Array(xmp.utf8))
      let clean = try cleaned(bytes)
      #expect(clean.count == bytes.count)
      #expect(!contains(clean, Self.place), "\(position)")
      // Nothing but values has changed.
      let blank = String(repeating: " ", count: Self.place.utf8.count)
      #expect(contains(clean, xmp.replacing(Self.place, with: blank)), "\(position)")
      #expect(try cleaned(clean) == clean)
    }
  }
}
