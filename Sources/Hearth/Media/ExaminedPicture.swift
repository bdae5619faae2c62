import Pictures

/// A validated picture with its location metadata removed.
struct ExaminedPicture: Sendable {
  let content: ArraySlice<UInt8>
  let hash: PictureHash
  let format: PictureFormat
  let width: Int
  let height: Int
  /// Nil if it could not be made.
  var thumbHash: ThumbHash?

  /// The limits on a picture.
  struct Limits: Sendable {
    let bytes: Int
    let pixels: Int
  }

  /// Why a file was rejected.
  enum Rejection: Error, Equatable {
    case tooManyBytes
    case tooManyPixels
    case unknownFormat
    case damaged
  }

  /// Takes some milliseconds for a large picture, so it must not run on an event loop.
  init(_ file: ArraySlice<UInt8>, limits: Limits) throws(Rejection) {
    guard file.count <= limits.bytes else { throw .tooManyBytes }
    let inspection: PictureInspection
    do throws(PictureFault) {
      inspection = try PictureInspection(file)
    } catch .unknownFormat {
      throw .unknownFormat
    } catch {
      throw .damaged
    }
    // Both have at most 32 bits, so the product cannot overflow.
    guard inspection.width * inspection.height <= limits.pixels else { throw .tooManyPixels }
    content = inspection.withoutPosition(file)
    hash = PictureHash(of: content)
    format = inspection.format
    width = inspection.width
    height = inspection.height
  }
}
