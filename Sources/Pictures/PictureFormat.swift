/// The supported formats.
package enum PictureFormat: Int64, Sendable, CaseIterable {
  // The raw values are stored in the database.
  case jpeg = 1
  case png = 2
  case webp = 3
  case heic = 4

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
