import Pictures

/// A size in which pictures are served besides their own, named by the pixels of the longer side. Sizes are few, so
/// that all places that show a picture share a few files.
enum PictureSize: Int, CaseIterable, Sendable {
  case tiny = 128
  case small = 256
  case medium = 512
  case large = 1024
  case full = 2048

  /// How a picture fills a box with another aspect ratio.
  enum Fit: String, Sendable {
    /// The whole picture is seen.
    case contain = "CONTAIN"
    /// The picture fills the box, and what exceeds it is cut off by the app.
    case cover = "COVER"
  }

  /// The box in which a picture is shown, in pixels. A side is nil if it follows from the other one.
  struct Box: Sendable {
    let width: Int64?
    let height: Int64?
    let fit: Fit
  }

  /// The smallest size that has all pixels for a box; nil if that is the picture itself. A format that few browsers
  /// show always gets a size.
  static func of(width: Int64, height: Int64, format: PictureFormat, in box: Box) -> PictureSize? {
    let ratios = [box.width.map { Double($0) / Double(width) }, box.height.map { Double($0) / Double(height) }]
      .compactMap(\.self)
    guard let ratio = box.fit == .contain ? ratios.min() : ratios.max() else { return nil }
    let longer = Double(max(width, height))
    let needed = min((ratio * longer).rounded(.up), longer)
    let size = allCases.first { Double($0.rawValue) >= needed }
    if format == .heic { return size ?? .full }
    return size.flatMap { Double($0.rawValue) < longer ? $0 : nil }
  }
}

extension PictureFormat {
  /// The format of a picture's sizes. WebP keeps the transparency that PNG and WebP can have.
  var scaled: PictureFormat {
    switch self {
    case .jpeg, .heic: .jpeg
    case .png, .webp: .webp
    }
  }
}
