/// Why bytes are not taken for a picture.
package enum PictureFault: Error, Sendable, Equatable {
  /// They do not begin like any of the formats.
  case unknownFormat
  /// They begin like a picture, but it is cut off, or its parts contradict one another.
  case damaged
}
