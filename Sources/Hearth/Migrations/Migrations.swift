import Storage

extension Migration {
  /// All migrations, in their order. A short one is written here:
  ///
  /// ```swift
  /// Migration(20, name: "colours of chores", sql: "ALTER TABLE chore ADD COLUMN colour TEXT"),
  /// ```
  ///
  /// A long one has a file of its own. The text of a released migration never changes, not even its SQL comments,
  /// because every database stores its checksum.
  static let all: [Migration] = [
    .household, .familyLife, .identity, .pictures, .periods, .identityProviders, .contactBook, .search, .feed,
    .rejections, .consent, .feedWindows, .familyBeginnings, .sessionOrigins, .mailLanes, .groupAccess, .familyParting,
    .choreApproval, .idempotentWrites, .pointLedger, .rewardRedemption, .erasures, .emailChanges, .searchFilters,
    .pushes, .pictureContents, .thumbHashes, .familyPositions, .childLocales, .keyBlocks,
    .sharedState, .bulkCounts, .deferredFamilyOfChores, .partitionChanges, .snoozedReminders, .publishedChanges,
    .stoppedAddresses, .mailsOfContactInvitations, .departedMembers,
  ]
}
