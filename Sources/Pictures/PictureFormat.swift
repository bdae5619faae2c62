/// The supported formats.
package enum PictureFormat: Int64, Sendable, CaseIterable {
  // The raw values are stored in the database.
  case jpeg = 1
  case png = 2
  case webp = 3
  case heic = 4

  /// The number of bytes that tell formats apart.
  package static let signatureBytes = 12

  /// The format of a picture by its first `signatureBytes` bytes; nil for other formats. Whether it is a picture
  /// of that format is for `PictureInspection` to determine.
  package init?(signature: ArraySlice<UInt8>) {
    let bytes = PictureBytes(signature)
    if bytes.has([0xFF, 0xD8, 0xFF], at: 0) {
      self = .jpeg
    } else if bytes.has(PNG.signature, at: 0) {
      self = .png
    } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
      self = .webp
    } else if bytes.has("ftyp", at: 4) {
      self = .heic
    } else {
      return nil
    }
  }

  package var contentType: String {
    switch self {
    case .jpeg: "image/jpeg"
    case .png: "image/png"
    case .webp: "image/webp"
    case .heic: "image/heic"
    }
  }

  package var fileExtension: String {
    switch self {
    case .jpeg: "jpg"
    case .png: "png"
    case .webp: "webp"
    case .heic: "heic"
    }
  }
}
