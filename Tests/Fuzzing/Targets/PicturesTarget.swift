import Pictures

/// A picture. Without its location it has the same length, format and size, and there is no location left to remove.
enum PicturesTarget {
  /// Returns whether the input is a picture.
  static func check(_ input: [UInt8]) throws -> Bool {
    guard let inspection = try? PictureInspection(input[...]) else { return false }
    try require(inspection.width > 0 && inspection.height > 0, "The picture has no size.")
    let clean = inspection.withoutPosition(input[...])
    try require(clean.count == input.count, "\(input.count) bytes became \(clean.count).")
    let again: PictureInspection
    do {
      again = try PictureInspection(clean)
    } catch {
      throw BrokenProperty(description: "Without its location it is not a picture: \(error)")
    }
    try require(again.format == inspection.format, "\(inspection.format) became \(again.format).")
    try require(
      again.width == inspection.width && again.height == inspection.height,
      "\(inspection.width) × \(inspection.height) became \(again.width) × \(again.height)."
    )
    let twice = again.withoutPosition(clean)
    try require(twice == clean, "There was a location left.")
    return true
  }
}
