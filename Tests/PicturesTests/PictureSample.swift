import TestSupport
import Testing

/// A format, for tests that all formats have to pass.
enum PictureSample: String, CaseIterable, CustomTestStringConvertible {
  case jpeg, png, webp, heic

  var testDescription: String { rawValue }

  func bytes(
    width: Int = 40,
    height: Int = 30,
    exif: [UInt8]? = nil,
    xmp: [UInt8]? = nil,
    trailer: [UInt8] = []
  ) -> [UInt8] {
    switch self {
    case .jpeg: SamplePicture.jpeg(width: width, height: height, exif: exif, xmp: xmp, trailer: trailer)
    case .png: SamplePicture.png(width: width, height: height, exif: exif, xmp: xmp, trailer: trailer)
    case .webp: SamplePicture.webp(width: width, height: height, exif: exif, xmp: xmp, trailer: trailer)
    case .heic: SamplePicture.heic(width: width, height: height, exif: exif, xmp: xmp, trailer: trailer)
    }
  }
}
