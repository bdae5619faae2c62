import Pictures

/// A picture that somebody has sent, found good, with its position taken out of it.
struct ExaminedPicture: Sendable {
  let content: ArraySlice<UInt8>
  let hash: PictureHash
  let format: PictureFormat
  let width: Int
  let height: Int

  /// What a picture may be.
  struct Limits: Sendable {
    let bytes: Int
    let pixels: Int
  }

  /// Why a file is no picture that is taken.
  enum Refusal: Error, Equatable {
    case tooManyBytes
    case tooManyPixels
    case unknownFormat
    case damaged
  }

  /// Some milliseconds for a large one: not on a loop.
  init(_ file: ArraySlice<UInt8>, _ limits: Limits) throws(Refusal) {
    guard file.count <= limits.bytes else { throw .tooManyBytes }
    let inspection: PictureInspection
    do throws(PictureFault) {
      inspection = try PictureInspection(file)
    } catch .unknownFormat {
      throw .unknownFormat
    } catch {
      throw .damaged
    }
    // Both are of 32 bits at most.
    guard inspection.width * inspection.height <= limits.pixels else { throw .tooManyPixels }
    content = inspection.withoutPosition(file)
    hash = PictureHash(of: content)
    format = inspection.format
    width = inspection.width
    height = inspection.height
  }
}
