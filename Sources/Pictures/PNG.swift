/// PNG (W3C, third edition): chunks, each with its checksum.
enum PNG {
  static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// A chunk: its type and its data, between its length and its checksum.
  private struct Chunk {
    let type: Range<Int>
    let data: Range<Int>
    var whole: Range<Int> { type.lowerBound..<data.upperBound }
    var end: Int { data.upperBound + 4 }
  }

  static func read(_ bytes: PictureBytes, into content: inout PictureContent) throws(PictureFault) {
    let header = try chunk(at: signature.count, in: bytes)
    guard bytes.has("IHDR", at: header.type.lowerBound), header.data.count == 13 else { throw .damaged }
    content.width = try bytes.number(at: header.data.lowerBound, bytes: 4)
    content.height = try bytes.number(at: header.data.lowerBound + 4, bytes: 4)
    guard content.width <= Int32.max, content.height <= Int32.max else { throw .damaged }
    var at = header.end
    var hasData = false
    while true {
      let chunk = try chunk(at: at, in: bytes)
      at = chunk.end
      if bytes.has("IEND", at: chunk.type.lowerBound) { break }
      if bytes.has("IDAT", at: chunk.type.lowerBound) {
        hasData = true
      } else {
        readMetadata(chunk, of: bytes, into: &content)
      }
    }
    guard hasData else { throw .damaged }
    content.blank(at..<bytes.count)
  }

  private static func chunk(at index: Int, in bytes: PictureBytes) throws(PictureFault) -> Chunk {
    let length = try bytes.number(at: index, bytes: 4)
    // The checksum must be present too.
    let rest = try bytes.range(at: index + 4, count: 4 + length + 4)
    let start = rest.lowerBound
    return Chunk(type: start..<(start + 4), data: (start + 4)..<(start + 4 + length))
  }

  private static func readMetadata(_ chunk: Chunk, of bytes: PictureBytes, into content: inout PictureContent) {
    let edits = content.edits.count
    if bytes.has("eXIf", at: chunk.type.lowerBound) {
      Exif.read(chunk.data, of: bytes, into: &content)
    } else if bytes.has("tEXt", at: chunk.type.lowerBound) || bytes.has("zTXt", at: chunk.type.lowerBound)
      || bytes.has("iTXt", at: chunk.type.lowerBound)
    {
      readText(chunk, of: bytes, into: &content)
    }
    if content.edits.count > edits { content.edits.append(.checksum(of: chunk.whole)) }
  }

  /// The keywords of texts that are kept. Not those that hold any text (`Comment`, `Description`), and not those that
  /// programs define, such as `exif:GPSLatitude` and `Raw profile type exif`.
  private static let keptKeywords: [StaticString] = [
    "Title\0", "Author\0", "Copyright\0", "Creation Time\0", "Software\0", "Disclaimer\0", "Warning\0", "Source\0",
  ]

  /// Reads XMP. A chunk of other text is blanked entirely, unless its keyword is one that is kept: its type is changed
  /// to an unknown one, which readers skip. XMP that is too long to be read is blanked, too.
  private static func readText(_ chunk: Chunk, of bytes: PictureBytes, into content: inout PictureContent) {
    let start = chunk.data.lowerBound
    // The keyword, and that it is not compressed.
    if bytes.has("XML:com.adobe.xmp\0\0", at: start), bytes.has("iTXt", at: chunk.type.lowerBound),
      chunk.data.count <= XMP.maximumBytes
    {
      XMP.read(chunk.data, of: bytes, into: &content)
    } else if !keptKeywords.contains(where: { bytes.has($0, at: start) }) {
      content.edits.append(.replace(at: chunk.type.lowerBound, with: Array("blNk".utf8)))
      content.blank(chunk.data)
    }
  }
}
