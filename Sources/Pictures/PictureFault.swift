/// Why bytes are not a supported picture.
package enum PictureFault: Error, Sendable, Equatable {
  /// The signature matches none of the formats.
  case unknownFormat
  /// The picture is truncated or inconsistent.
  case damaged
}
