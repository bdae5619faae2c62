import TestSupport
import Testing

@testable import Pictures

@Suite("Where a picture was taken is taken out of it")
struct PositionTests {
  private func cleaned(_ bytes: [UInt8]) throws -> [UInt8] {
    Array(try PictureInspection(bytes[...]).withoutPosition(bytes[...]))
  }

  private func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool {
    bytes.indices.contains { bytes[$0...].starts(with: part) }
  }

  @Test(arguments: PictureSample.allCases, [SamplePicture.Order.big, .little])
  func `of EXIF only the position is blank, and nothing has moved`(
    sample: PictureSample,
    order: SamplePicture.Order
  ) throws {
    let bytes = sample.bytes(exif: SamplePicture.exif(orientation: 6, order: order))
    #expect(contains(bytes, SamplePicture.position))
    let clean = try cleaned(bytes)
    #expect(!contains(clean, SamplePicture.position))
    #expect(contains(clean, Array("Hearth camera".utf8)))
    #expect(clean.count == bytes.count)
    let changed = bytes.indices.filter { bytes[$0] != clean[$0] }
    #expect(changed.count <= 2 + 24 + SamplePicture.position.count + (sample == .png ? 4 : 0))
    #expect(try PictureInspection(clean[...]).width == PictureInspection(bytes[...]).width)
    #expect(try cleaned(clean) == clean)
  }

  @Test(arguments: PictureSample.allCases)
  func `of XMP too, which stays XML`(sample: PictureSample) throws {
    let bytes = sample.bytes(xmp: SamplePicture.xmp)
    let clean = try cleaned(bytes)
    #expect(clean.count == bytes.count)
    #expect(!contains(clean, Array(SamplePicture.positionInXMP.utf8)))
    let blank = String(repeating: " ", count: SamplePicture.positionInXMP.utf8.count)
    #expect(contains(clean, Array("GPSLatitude=\"\(blank)\" dc:title=\"A tent\">".utf8)))
    #expect(contains(clean, Array("GPSLongitude>\(blank)</".utf8)))
  }

  /// The ways in which programs write locations. Each value contains `Amherst`.
  static let places = [
    #"<rdf:Description photoshop:City="Amherst" photoshop:State='Amherst' photoshop:Country = "Amherst"/>"#,
    "<rdf:Description><photoshop:City>Amherst</photoshop:City></rdf:Description>",
    #"<rdf:Description Iptc4xmpCore:Location="Main Street, Amherst" Iptc4xmpCore:CountryCode="Amherst"/>"#,
    """
    <Iptc4xmpExt:LocationCreated><rdf:Bag><rdf:li rdf:parseType="Resource"><Iptc4xmpExt:City>Amherst</Iptc4xmpExt:City>\
    <Iptc4xmpExt:Sublocation>Amherst</Iptc4xmpExt:Sublocation></rdf:li></rdf:Bag></Iptc4xmpExt:LocationCreated>
    """,
    #"<Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li Iptc4xmpExt:WorldRegion="Amherst"/></rdf:Bag></Iptc4xmpExt:LocationShown>"#,
    "<Iptc4xmpExt:LocationShown><rdf:Bag><rdf:li><x:Own>Amherst</x:Own></rdf:li></rdf:Bag></Iptc4xmpExt:LocationShown>",
    #"<p:City><rdf:Alt><rdf:li xml:lang="en">Amherst</rdf:li><rdf:li xml:lang="fr">Amherst</rdf:li></rdf:Alt></p:City>"#,
    #"<City xmlns="http://ns.adobe.com/photoshop/1.0/">Amherst</City>"#,
    "<photoshop:City><![CDATA[Amherst]]></photoshop:City>",
    "<photoshop:City><!-- Amherst -->Amherst</photoshop:City>",
    "<photoshop:City><photoshop:City>Amherst</photoshop:City>Amherst</photoshop:City>",
    #"<Iptc4xmpCore:CreatorContactInfo Iptc4xmpCore:CiAdrCity="Amherst" x:Own="Amherst"></Iptc4xmpCore:CreatorContactInfo>"#,
    // Never closed: all that follows goes.
    "<photoshop:City>Amherst<x:a>Amherst",
  ]

  @Test(arguments: PictureSample.allCases)
  func `location names are removed from XMP, which stays XML`(sample: PictureSample) throws {
    for place in Self.places {
      let xmp = #"<x:xmpmeta><rdf:Description dc:title="A tent" x:a=">"/>\#(place)</x:xmpmeta>"#
      let bytes = sample.bytes(xmp: Array(xmp.utf8))
      let clean = try cleaned(bytes)
      #expect(clean.count == bytes.count)
      #expect(!contains(clean, Array("Amherst".utf8)), "\(place)")
      #expect(contains(clean, Array(#"dc:title="A tent" x:a=">"/>"#.utf8)))
      // Nothing but values has changed.
      let blank = place.contains("Main Street, ") ? place.replacing("Main Street, ", with: "             ") : place
      if !place.contains("--"), place.hasSuffix(">") {
        #expect(contains(clean, Array(blank.replacing("Amherst", with: "       ").utf8)), "\(place)")
      }
      #expect(try cleaned(clean) == clean)
    }
  }

  @Test(arguments: PictureSample.allCases)
  func `names that only resemble locations are kept`(sample: PictureSample) throws {
    for text in [
      #"<x:a dc:title="City: Amherst" x:CityHall="Amherst" x:b="<photoshop:City>"/>"#,
      "<x:CityHall>Amherst</x:CityHall><x:a>photoshop:City=Amherst</x:a><photoshop:City/><x:b>Amherst</x:b>",
    ] {
      let bytes = sample.bytes(xmp: Array(text.utf8))
      #expect(try cleaned(bytes) == bytes)
    }
  }

  @Test func `location names are removed from a JPEG's extended XMP, wherever it is split into segments`() throws {
    let text = Array(
      "<x:a>one</x:a><p:City>Amherst</p:City><e:LocationShown><a>Amherst</a></e:LocationShown><b>two</b>".utf8
    )
    let expected = String(decoding: text, as: UTF8.self).replacing("Amherst", with: "       ")
    for cut in 1..<text.count {
      func segment(_ part: ArraySlice<UInt8>) -> [UInt8] {
        let number = { (value: Int) in (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        let body =
          Array("http://ns.adobe.com/xmp/extension/\0".utf8) + [UInt8](repeating: 0x41, count: 32) + number(text.count)
          + number(part.startIndex) + part
        return [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body
      }
      let plain = SamplePicture.jpeg()
      // The order of the segments is free.
      let segments = [segment(text[..<cut]), segment(text[cut...])]
      let ordered = cut % 2 == 0 ? segments : segments.reversed()
      let clean = try cleaned(Array(plain[..<2]) + ordered.flatMap(\.self) + Array(plain[2...]))
      // Each text behind its marker, length and head.
      let first = clean.dropFirst(2 + 79).prefix(ordered[0].count - 79)
      let second = clean.dropFirst(2 + ordered[0].count + 79).prefix(ordered[1].count - 79)
      let whole = cut % 2 == 0 ? Array(first) + Array(second) : Array(second) + Array(first)
      #expect(String(decoding: whole, as: UTF8.self) == expected, "cut at \(cut)")
    }
  }

  @Test(arguments: PictureSample.allCases)
  func `without a position it is stored as it came`(sample: PictureSample) throws {
    let bytes = sample.bytes(exif: SamplePicture.exif(hasPosition: false))
    #expect(try cleaned(bytes) == bytes)
  }

  @Test(arguments: PictureSample.allCases)
  func `EXIF that cannot be parsed is blanked entirely`(sample: PictureSample) throws {
    var exif = SamplePicture.exif()
    // The position's directory lies outside.
    exif[8 + 2 + 24 + 8] = 0xFF
    let clean = try cleaned(sample.bytes(exif: exif))
    #expect(!contains(clean, SamplePicture.position) && !contains(clean, Array("Hearth camera".utf8)))
  }

  @Test(arguments: PictureSample.allCases)
  func `what hangs on behind the picture is blank`(sample: PictureSample) throws {
    let film = SamplePicture.box("moov", SamplePicture.position)
    let clean = try cleaned(sample.bytes(trailer: film))
    #expect(!contains(clean, SamplePicture.position))
  }

  @Test func `a JPEG's further pictures stay, without their positions`() throws {
    let further = SamplePicture.jpeg(width: 8, height: 8, exif: SamplePicture.exif())
    let clean = try cleaned(SamplePicture.jpeg(exif: SamplePicture.exif(), trailer: [0, 0] + further))
    #expect(!contains(clean, SamplePicture.position))
    #expect(contains(clean, Array("Hearth camera".utf8)))
    #expect(try PictureInspection(clean[...]).width == 40)
  }

  @Test func `IPTC location names are removed from a JPEG`() throws {
    let city = Array("Photoshop 3.0\0".utf8) + Array("8BIM".utf8) + [4, 4, 0, 0, 0, 0, 0, 12, 0x1C, 2, 90, 0, 7]
    let segment = city + Array("Amherst".utf8)
    let plain = SamplePicture.jpeg()
    let bytes = plain[..<2] + [0xFF, 0xED, 0, UInt8(segment.count + 2)] + segment + plain[2...]
    let clean = try cleaned(Array(bytes))
    #expect(!contains(clean, Array("Amherst".utf8)))
    #expect(clean.count == bytes.count && contains(clean, Array(plain[2...])))
    #expect(try PictureInspection(clean[...]).width == 40)
  }

  @Test func `a PNG's checksums are right again, and its compressed metadata is passed over`() throws {
    let text = Array("Raw profile type exif\0\0".utf8) + SamplePicture.position
    let clean = try cleaned(SamplePicture.png(exif: SamplePicture.exif(), xmp: SamplePicture.xmp, text: text))
    #expect(!contains(clean, SamplePicture.position))
    #expect(!contains(clean, Array("Raw profile".utf8)))
    var at = 8
    while at < clean.count {
      let length = clean[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) }
      let sum = clean[(at + 8 + length)..<(at + 12 + length)].reduce(0) { $0 << 8 | UInt32($1) }
      #expect(SamplePicture.checksum(clean[(at + 4)..<(at + 8 + length)]) == sum)
      at += 12 + length
    }
  }

  /// Blanking a location must not change what else was read: the size that is stored is that of the original.
  @Test(arguments: PictureSample.allCases)
  func `EXIF whose position shares bytes with other entries is blank as a whole`(sample: PictureSample) throws {
    // One directory: the orientation, a quarter turn, and a position whose only value covers the first directory.
    var exif = Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 2]
    exif += [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
    exif += [0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 38]
    exif += [0, 0, 0, 0]
    exif += [0, 1, 0, 2, 0, 7, 0, 0, 0, 12, 0, 0, 0, 10, 0, 0, 0, 0]
    let bytes = sample.bytes(exif: exif)
    let clean = try cleaned(bytes)
    #expect(!contains(clean, Array(exif.suffix(14))))
    let (before, after) = (try PictureInspection(bytes[...]), try PictureInspection(clean[...]))
    #expect((before.width, before.height) == (after.width, after.height))
    #expect(try cleaned(clean) == clean)
  }

  @Test func `a HEIC whose metadata shares bytes is damaged`() throws {
    var bytes = SamplePicture.heic(exif: SamplePicture.exif(), xmp: SamplePicture.xmp)
    // The location of item 3, the XMP: one extent, which begins four bytes earlier than the EXIF ends.
    let item: [UInt8] = [0, 3, 0, 0, 0, 1, 0, 0]
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: item) }) + item.count
    let offset = Int(bytes[start]) << 8 | Int(bytes[start + 1])
    bytes[start] = UInt8((offset - 4) >> 8)
    bytes[start + 1] = UInt8((offset - 4) & 0xFF)
    #expect(throws: PictureFault.damaged) { try PictureInspection(bytes[...]) }
  }

  @Test func `two images of a HEIC may have the same EXIF`() throws {
    // The second metadata item becomes EXIF too, at the location of the first.
    let exif = SamplePicture.exif()
    var bytes = SamplePicture.heic(exif: exif, xmp: Array(repeating: 0x20, count: exif.count + 10))
    func replace(_ old: [UInt8], with new: [UInt8]) throws {
      let start = try #require(bytes.indices.first { bytes[$0...].starts(with: old) })
      bytes.replaceSubrange(start..<(start + new.count), with: new)
    }
    try replace(Array("mime".utf8), with: Array("Exif".utf8))
    let item: [UInt8] = [0, 2, 0, 0, 0, 1]
    let start = try #require(bytes.indices.first { bytes[$0...].starts(with: item) }) + item.count
    try replace([0, 3, 0, 0, 0, 1], with: [0, 3, 0, 0, 0, 1] + bytes[start..<(start + 8)])
    let clean = try cleaned(bytes)
    #expect(!contains(clean, SamplePicture.position) && contains(clean, Array("Hearth camera".utf8)))
  }
}
