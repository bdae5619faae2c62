/// Lengths of time in milliseconds, the unit of all points in time and lengths of time that are stored.
enum Milliseconds {
  static let minute: Int64 = 60_000
  static let hour: Int64 = 3_600_000
  /// Without a change of clocks.
  static let day: Int64 = 86_400_000
}
