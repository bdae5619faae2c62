import Storage

extension Migration {
  /// The migrations, in their order. A short one is written here:
  ///
  /// ```swift
  /// Migration(18, "colours of chores", sql: "ALTER TABLE chore ADD COLUMN colour TEXT"),
  /// ```
  ///
  /// A long one has a file of its own. A migration that was released is never changed.
  static let all: [Migration] = [
    .household, .familyLife, .identity, .pictures, .periods, .identityProviders, .contactBook, .search, .feed,
    .rejections, .consent, .feedWindows, .familyBeginnings, .sessionOrigins, .mailLanes, .groupAccess, .familyParting,
  ]
}
