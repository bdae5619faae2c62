/// Locations in XMP: positions (`exif:GPSLatitude`, `drone-dji:GpsLatitude`), and names such as cities and countries.
/// Those are of Photoshop (`photoshop:City`), of IPTC Core (`Iptc4xmpCore:Location`), of IPTC Extension, where a
/// location is a structure (`Iptc4xmpExt:LocationCreated`), and of programs that use other prefixes.
///
/// Names are compared without their prefix, which the writer chooses: losing another property of the same name does
/// less harm than publishing an address. The tags are read in one pass, in time linear in the bytes.
struct XMPLocations {
  private static let names: [StaticString] = [
    "City", "State", "Country", "CountryCode", "CountryName", "ProvinceState", "Province", "WorldRegion",
    "Sublocation", "SubLocation", "Location", "LocationName", "LocationId", "LocationCreated", "LocationShown",
    "Latitude", "Longitude",
    // The address of the photographer.
    "CreatorContactInfo", "CiAdrExtadr", "CiAdrCity", "CiAdrRegion", "CiAdrPcode", "CiAdrCtry",
  ]
  private static let longestName = 64
  /// The names of each length, so that a name is compared with few others.
  private static let namesByLength: [[StaticString]] = (0...longestName).map { length in
    names.filter { $0.utf8CodeUnitCount == length }
  }

  private let bytes: PictureBytes
  private let end: Int
  private var at: Int
  /// The element whose content is blanked, and the number of open elements of the same name within it.
  private var blankedElement: (name: Range<Int>, depth: Int)?

  init(_ packet: Range<Int>, of bytes: PictureBytes) {
    self.bytes = bytes
    at = packet.lowerBound
    end = packet.upperBound
  }

  mutating func read(into content: inout PictureContent) {
    // The bytes before the first tag are not text: in a PNG they are the keyword of the chunk.
    at = find("<") ?? end
    while at < end {
      readMarkup(into: &content)
      let text = min(at, end)
      at = find("<") ?? end
      if blankedElement != nil { content.blank(text..<at, with: UInt8(ascii: " ")) }
    }
  }

  private func find(_ character: Unicode.Scalar) -> Int? {
    at < end ? bytes.firstIndex(of: UInt8(ascii: character), in: at..<end) : nil
  }

  private func byte(at index: Int) -> UInt8? { index < end ? try? bytes.byte(at: index) : nil }

  /// Reads the markup that begins with `<` at the current offset.
  private mutating func readMarkup(into content: inout PictureContent) {
    // Most markup is decided by its second byte.
    guard let second = byte(at: at + 1), "!/?".utf8.contains(second) else { return readTag(into: &content) }
    if bytes.has("<![CDATA[", at: at) {
      let text = at + 9
      skip(past: "]]>", from: text)
      if blankedElement != nil { content.blank(text..<max(text, at - 3), with: UInt8(ascii: " ")) }
    } else if bytes.has("<!--", at: at) {
      let text = at + 4
      skip(past: "-->", from: text)
      if blankedElement != nil { content.blank(text..<max(text, at - 3), with: UInt8(ascii: " ")) }
    } else if bytes.has("</", at: at) {
      at += 2
      leave(readName())
      skip(past: ">", from: at)
    } else {
      skip(past: ">", from: at)
    }
  }

  private mutating func skip(past mark: StaticString, from start: Int) {
    at = start
    let length = mark.utf8CodeUnitCount
    let last = mark.utf8Start[length - 1]
    while at < end, let found = bytes.firstIndex(of: last, in: at..<end) {
      at = found + 1
      if at - length >= start, bytes.has(mark, at: at - length) { return }
    }
    at = end
  }

  /// Reads a start tag with its attributes.
  private mutating func readTag(into content: inout PictureContent) {
    at += 1
    let name = readName()
    let isLocation = isLocation(name)
    let isWithin = blankedElement != nil
    var isEmpty = false
    while at < end, let next = byte(at: at), next != UInt8(ascii: ">"), next != UInt8(ascii: "<") {
      isEmpty = next == UInt8(ascii: "/")
      if XMP.isSpace(next) || isEmpty || next == UInt8(ascii: "=") {
        at += 1
      } else if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") {
        // A value without a name.
        at += 1
        skip(past: next == UInt8(ascii: "'") ? "'" : "\"", from: at)
      } else {
        readAttribute(isBlanked: isWithin || isLocation, into: &content)
      }
    }
    if byte(at: at) == UInt8(ascii: ">") { at += 1 }
    guard !isEmpty else { return }
    if let open = blankedElement {
      if equal(name, open.name) { blankedElement?.depth += 1 }
    } else if isLocation {
      blankedElement = (name, 1)
    }
  }

  private mutating func readAttribute(isBlanked: Bool, into content: inout PictureContent) {
    let start = at
    let name = readName()
    // Skips a byte that does not begin a name.
    if at == start { at += 1 }
    while let next = byte(at: at), XMP.isSpace(next) { at += 1 }
    guard byte(at: at) == UInt8(ascii: "=") else { return }
    at += 1
    while let next = byte(at: at), XMP.isSpace(next) { at += 1 }
    guard let quote = byte(at: at), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return }
    at += 1
    let value = at..<(bytes.firstIndex(of: quote, in: at..<end) ?? end)
    at = min(value.upperBound + 1, end)
    // These attributes determine the structure and must be kept.
    let isStructure =
      bytes.has("rdf:parseType", at: name.lowerBound) || bytes.has("xml:lang", at: name.lowerBound)
      || bytes.has("xmlns", at: name.lowerBound)
    if (isBlanked && !isStructure) || isLocation(name) {
      content.blank(value, with: UInt8(ascii: " "))
    }
  }

  private mutating func leave(_ name: Range<Int>) {
    guard let open = blankedElement, equal(name, open.name) else { return }
    blankedElement = open.depth > 1 ? (open.name, open.depth - 1) : nil
  }

  // MARK: Names

  private mutating func readName() -> Range<Int> {
    let start = at
    while let next = byte(at: at), isNameByte(next) { at += 1 }
    return start..<at
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), 0x80...: true
    default: false
    }
  }

  private func isLocation(_ name: Range<Int>) -> Bool {
    let local = localName(name)
    if local.count >= 3, isLetter("G", at: local.lowerBound), isLetter("P", at: local.lowerBound + 1),
      isLetter("S", at: local.lowerBound + 2)
    {
      return true
    }
    guard Self.namesByLength.indices.contains(local.count) else { return false }
    return Self.namesByLength[local.count].contains { bytes.has($0, at: local.lowerBound) }
  }

  /// Whether a byte is a letter, in upper or lower case.
  private func isLetter(_ upperCase: Unicode.Scalar, at index: Int) -> Bool {
    byte(at: index).map { $0 & 0xDF } == UInt8(ascii: upperCase)
  }

  /// The name without its prefix; empty if it is longer than any relevant name.
  private func localName(_ name: Range<Int>) -> Range<Int> {
    guard name.count <= 2 * Self.longestName else { return name.upperBound..<name.upperBound }
    var start = name.upperBound
    while start > name.lowerBound, byte(at: start - 1) != UInt8(ascii: ":") { start -= 1 }
    return start..<name.upperBound
  }

  private func equal(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
    one.count == other.count && zip(one, other).allSatisfy { byte(at: $0) == byte(at: $1) }
  }
}
