/// An error of a file beside the database: of a picture, or of an export's archive.
protocol FileFailure: Error, CustomStringConvertible {
  /// Whether a file cannot be written, as on a full disk.
  var isOfWrite: Bool { get }
}
