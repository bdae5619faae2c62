/// XMP: metadata as XML (ISO 16684-1). Where a picture was taken is in properties whose names begin with `GPS`, and in
/// location names such as cities (`XMPLocations`). They are attributes or elements. Their values are overwritten with
/// spaces, so that the XML stays well-formed.
enum XMP {
  /// A longer packet is blanked instead of read. Those of cameras and programs have kilobytes; longer ones hold maps of
  /// depth or the steps of an edit, which nothing that shows the picture needs.
  static let maximumBytes = 1 << 20

  static func read(_ packet: Range<Int>, of bytes: PictureBytes, into content: inout PictureContent) {
    guard packet.count <= maximumBytes else { return content.blank(packet, with: UInt8(ascii: " ")) }
    readPositions(packet, of: bytes, into: &content)
    var locations = XMPLocations(packet, of: bytes)
    locations.read(into: &content)
  }

  /// Reads a packet that is split into parts, as one text.
  static func read(_ parts: [Range<Int>], of bytes: PictureBytes, into content: inout PictureContent) {
    guard let first = parts.first else { return }
    guard parts.count > 1 else { return read(first, of: bytes, into: &content) }
    guard parts.reduce(0, { $0 + $1.count }) <= maximumBytes else {
      for part in parts { content.blank(part, with: UInt8(ascii: " ")) }
      return
    }
    var whole: [UInt8] = []
    for part in parts { for index in part { if let byte = try? bytes.byte(at: index) { whole.append(byte) } } }
    var found = PictureContent()
    read(0..<whole.count, of: PictureBytes(whole[...]), into: &found)
    // The edits are in order, except that those of positions precede those of location names.
    for edit in found.edits {
      guard case .fill(let range, let filling) = edit else { continue }
      var start = 0
      for part in parts {
        let here = range.clamped(to: start..<(start + part.count))
        content.blank(
          (here.lowerBound - start + part.lowerBound)..<(here.upperBound - start + part.lowerBound),
          with: filling
        )
        start += part.count
      }
    }
  }

  /// Searches for property names in any text, well-formed or not. It finds values that follow the name at once; those
  /// of elements with attributes or children are found by `XMPLocations`, which reads tags.
  private static func readPositions(_ packet: Range<Int>, of bytes: PictureBytes, into content: inout PictureContent) {
    var at = packet.lowerBound
    while let name = bytes.firstIndex(of: UInt8(ascii: "G"), in: at..<packet.upperBound) {
      at = name + 1
      guard bytes.has("GPS", at: name), let value = value(after: name + 3, in: packet, of: bytes) else { continue }
      content.blank(value, with: UInt8(ascii: " "))
      at = value.upperBound
    }
  }

  /// The value of the attribute or element whose name continues at `nameStart`; nil if there is none.
  private static func value(after nameStart: Int, in packet: Range<Int>, of bytes: PictureBytes) -> Range<Int>? {
    var at = nameStart
    func next() -> UInt8? { at < packet.upperBound ? try? bytes.byte(at: at) : nil }
    // Bounded, so that a packet that consists of names is read once and not once per name.
    while at < nameStart + 64, let byte = next(), isNameByte(byte) { at += 1 }
    while at < nameStart + 128, let byte = next(), isSpace(byte) { at += 1 }
    if next() == UInt8(ascii: ">") { return until(UInt8(ascii: "<"), from: at + 1, in: packet, of: bytes) }
    guard next() == UInt8(ascii: "=") else { return nil }
    at += 1
    while at < nameStart + 192, let byte = next(), isSpace(byte) { at += 1 }
    guard let quote = next(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
    return until(quote, from: at + 1, in: packet, of: bytes)
  }

  private static func until(_ end: UInt8, from start: Int, in packet: Range<Int>, of bytes: PictureBytes) -> Range<Int>
  {
    guard start < packet.upperBound else { return packet.upperBound..<packet.upperBound }
    return start..<(bytes.firstIndex(of: end, in: start..<packet.upperBound) ?? packet.upperBound)
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "_"), UInt8(ascii: "-"): true
    default: false
    }
  }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
