import CQRCode

/// A QR code (ISO/IEC 18004) as an SVG drawing.
struct QRCode {
  /// The text is too long for a QR code, or there is no memory.
  struct NotDrawn: Error {}

  /// The width of the white quiet zone in modules (section 9.1).
  private static let margin = 4

  let svg: String

  /// Readable with an eighth of it hidden (error correction level M). Nil for text that is too long.
  init?(of text: String) {
    guard let code = QRcode_encodeString8bit(text, 0, QR_ECLEVEL_M) else { return nil }
    defer { QRcode_free(code) }
    let width = Int(code.pointee.width)
    // `width` × `width` bytes, row by row. The lowest bit of a byte tells whether the module is black.
    guard let modules = code.pointee.data else { return nil }
    svg = Self.drawing(width: width) { column, row in modules[row * width + column] & 1 == 1 }
  }

  /// Draws a single path with one bar per run of black modules.
  private static func drawing(width: Int, isBlack: (Int, Int) -> Bool) -> String {
    var path = ""
    for row in 0..<width {
      var column = 0
      while column < width {
        let start = column
        while column < width, isBlack(column, row) { column += 1 }
        if column > start { path += "M\(start + margin) \(row + margin)h\(column - start)v1h-\(column - start)z" }
        column += 1
      }
    }
    let size = width + 2 * margin
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(size) \(size)" shape-rendering="crispEdges">\
      <path d="M0 0h\(size)v\(size)h-\(size)z" fill="#fff"/><path d="\(path)"/></svg>
      """
  }
}
