/// Pictures created byte by byte, with the structure of real ones but meaningless pixels.
package enum SamplePicture {
  /// Text that occurs only in EXIF with a position.
  package static let position: [UInt8] = Array("51.4779N".utf8)
  /// The same in XMP.
  package static let positionInXMP = "51,28.674N"

  package enum Order { case big, little }

  // MARK: Metadata

  /// TIFF with two directories: the orientation and a maker's name, and where `hasPosition`, a position.
  package static func exif(orientation: Int = 1, hasPosition: Bool = true, order: Order = .big) -> [UInt8] {
    func number(_ value: Int, _ size: Int) -> [UInt8] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      return order == .little ? bytes : bytes.reversed()
    }
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4) + value + [UInt8](repeating: 0, count: 4 - value.count)
    }
    let maker = Array("Hearth camera\0".utf8)
    let entries = hasPosition ? 3 : 2
    let afterFirst = 8 + 2 + 12 * entries + 4
    let positionAt = afterFirst + maker.count
    var bytes = order == .little ? Array("II*\0".utf8) : Array("MM\0*".utf8)
    bytes += number(8, 4) + number(entries, 2)
    bytes += entry(0x010F, 2, maker.count, number(afterFirst, 4))
    bytes += entry(0x0112, 3, 1, number(orientation, 2))
    if hasPosition { bytes += entry(0x8825, 4, 1, number(positionAt, 4)) }
    bytes += number(0, 4) + maker
    guard hasPosition else { return bytes }
    let valueAt = positionAt + 2 + 12 * 2 + 4
    bytes += number(2, 2) + entry(1, 2, 2, Array("N\0".utf8)) + entry(2, 2, position.count, number(valueAt, 4))
    return bytes + number(0, 4) + position
  }

  package static let xmp = Array(
    """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description exif:GPSLatitude="\(positionInXMP)" dc:title="A tent">\
    <exif:GPSLongitude>\(positionInXMP)</exif:GPSLongitude></rdf:Description></x:xmpmeta>
    """.utf8
  )

  /// XMP with a location name in a structure.
  package static let places = Array(
    #"<e:LocationShown><rdf:li p:City="Oslo" xml:lang='no'><e:City>Oslo<![CDATA[O]]></e:City></rdf:li></e:LocationShown>"#
      .utf8
  )

  // MARK: JPEG

  package static func jpeg(
    width: Int = 40,
    height: Int = 30,
    exif: [UInt8]? = nil,
    xmp: [UInt8]? = nil,
    trailer: [UInt8] = []
  ) -> [UInt8] {
    func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] { [0xFF, marker] + big(body.count + 2, 2) + body }
    var bytes: [UInt8] = [0xFF, 0xD8]
    bytes += segment(0xE0, Array("JFIF\0\u{1}\u{1}\0".utf8) + [0, 1, 0, 1, 0, 0])
    if let exif { bytes += segment(0xE1, Array("Exif\0\0".utf8) + exif) }
    if let xmp { bytes += segment(0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + xmp) }
    bytes += segment(0xC0, [8] + big(height, 2) + big(width, 2) + [1, 1, 0x11, 0])
    bytes += segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0xFF, 0x00, 0x34, 0xFF, 0xD0, 0x56]
    return bytes + [0xFF, 0xD9] + trailer
  }

  // MARK: PNG

  package static func png(
    width: Int = 40,
    height: Int = 30,
    exif: [UInt8]? = nil,
    xmp: [UInt8]? = nil,
    text: [UInt8]? = nil,
    trailer: [UInt8] = []
  ) -> [UInt8] {
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    bytes += chunk("IHDR", big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0])
    if let exif { bytes += chunk("eXIf", exif) }
    if let xmp { bytes += chunk("iTXt", Array("XML:com.adobe.xmp\0\0\0\0\0".utf8) + xmp) }
    if let text { bytes += chunk("zTXt", text) }
    return bytes + chunk("IDAT", [1, 2, 3, 4]) + chunk("IEND", []) + trailer
  }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let whole = Array(type.utf8) + data
    return big(data.count, 4) + whole + big(Int(checksum(whole)), 4)
  }

  /// CRC-32, bit by bit.
  package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    ~bytes.reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
  }

  // MARK: WebP

  package static func webp(
    width: Int = 40,
    height: Int = 30,
    exif: [UInt8]? = nil,
    xmp: [UInt8]? = nil,
    canvas: (Int, Int)? = nil,
    trailer: [UInt8] = []
  ) -> [UInt8] {
    func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
      Array(type.utf8) + little(data.count, 4) + data + (data.count % 2 == 1 ? [0] : [])
    }
    let (canvasWidth, canvasHeight) = canvas ?? (width, height)
    var chunks = chunk("VP8X", [0x0C, 0, 0, 0] + little(canvasWidth - 1, 3) + little(canvasHeight - 1, 3))
    chunks += chunk("VP8L", [0x2F] + little((width - 1) | (height - 1) << 14, 4) + [7, 7, 7])
    if let exif { chunks += chunk("EXIF", exif) }
    if let xmp { chunks += chunk("XMP ", xmp) }
    return Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks + trailer
  }

  // MARK: HEIC

  package static func heic(
    width: Int = 40,
    height: Int = 30,
    exif: [UInt8]? = nil,
    xmp: [UInt8]? = nil,
    quarters: UInt8? = nil,
    aperture: (width: Int, height: Int)? = nil,
    brand: String = "heic",
    trailer: [UInt8] = []
  ) -> [UInt8] {
    let picture: [UInt8] = [9, 8, 7, 6, 5, 4, 3, 2]
    let exifData = exif.map { big(6, 4) + Array("Exif\0\0".utf8) + $0 } ?? []
    let items: [(type: String, data: [UInt8])] =
      [("hvc1", picture)] + (exif == nil ? [] : [("Exif", exifData)]) + (xmp.map { [("mime", $0)] } ?? [])
    let fileType = box("ftyp", Array(brand.utf8) + big(0, 4) + Array("mif1".utf8))
    // The offsets of the data depend on the size of the preceding boxes.
    func metadata(_ start: Int) -> [UInt8] {
      var at = start
      var locations = [0x44, 0x00] + big(items.count, 2)
      var entries = big(items.count, 2)
      for (index, item) in items.enumerated() {
        locations += big(index + 1, 2) + big(0, 2) + big(1, 2) + big(at, 4) + big(item.data.count, 4)
        entries += box("infe", [2, 0, 0, 0] + big(index + 1, 2) + big(0, 2) + Array(item.type.utf8) + [0])
        at += item.data.count
      }
      var properties = box("ispe", big(0, 4) + big(width, 4) + big(height, 4))
      var associations: [UInt8] = [0x81]
      if let aperture {
        let lengths = [aperture.width, 1, aperture.height, 1, 0, 1, 0, 1]
        properties += box("clap", lengths.flatMap { big($0, 4) })
        associations.append(0x82)
      }
      if let quarters {
        properties += box("irot", [quarters])
        associations.append(0x81 + UInt8(associations.count))
      }
      associations.insert(UInt8(associations.count), at: 0)
      return box(
        "meta",
        big(0, 4) + box("hdlr", big(0, 8) + Array("pict".utf8) + big(0, 13)) + box("pitm", big(0, 4) + big(1, 2))
          + box("iinf", big(0, 4) + entries) + box("iloc", big(0, 4) + locations)
          + box("iprp", box("ipco", properties) + box("ipma", big(0, 4) + big(1, 4) + big(1, 2) + associations))
      )
    }
    let start = fileType.count + metadata(0).count + 8
    return fileType + metadata(start) + box("mdat", items.flatMap(\.data)) + trailer
  }

  package static func box(_ type: String, _ body: [UInt8]) -> [UInt8] {
    big(body.count + 8, 4) + Array(type.utf8) + body
  }

  // MARK: Numbers

  private static func big(_ number: Int, _ size: Int) -> [UInt8] { little(number, size).reversed() }

  private static func little(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { $0 < 8 ? UInt8(truncatingIfNeeded: number >> (8 * $0)) : 0 }
  }
}
