import GraphQL
import Storage

/// A client's resume position in the feed of its family, which is that of its account too: the position of the last
/// event that it received. Clients see it encrypted: positions of earlier versions were numbers of the sequence of
/// keys, which reveal how much all families write, and families have continued from there.
enum FeedPosition {
  /// An account has a row once it has had an event. Before that the row of the family counts: no event of the account
  /// is missing, but the position can be one that was lost when a backup was restored (`LostNumbers`).
  static let swept = SQL<(log: GlobalID, family: GlobalID)>(
    """
    SELECT coalesce((SELECT swept FROM family_feed WHERE family_id = \(\.log)), \
    (SELECT swept FROM family_feed WHERE family_id = \(\.family)), 0)
    """
  )
  static let familySince = SQL<GlobalID>("SELECT family_since FROM person WHERE id = \(\.self)")

  /// The newest position of the viewer's family.
  static func latest(for viewer: Viewer, in context: RequestContext) throws -> Int64 {
    try context.reader.number(of: FeedCounter.stored, viewer.family) ?? 0
  }

  /// Parses the resume position of a client. `0` is the start of the kept events.
  static func read(_ text: String, for viewer: Viewer, in context: RequestContext) throws -> Int64 {
    // Bytes, because comparing characters takes long with many combining marks (`CombiningMarks`).
    if text.utf8.elementsEqual("0".utf8) { return 0 }
    guard let position = context.cipher.position(of: text) else {
      // Positions were decimal numbers in earlier versions. Accepting them would reveal the newest position.
      if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { throw gap }
      throw FieldError("`position` must be a value received with an event.", code: .badUserInput)
    }
    // A later position was issued by data that is newer than the restored backup.
    guard try position <= latest(for: viewer, in: context) else { throw gap }
    return position
  }

  /// Throws if events after the position may be missing, or if the position is before the viewer joined the family:
  /// earlier events are not theirs, and their earlier positions belong to another family.
  ///
  /// - Parameter log: the viewer's family, or the viewer's member for the events of the account.
  static func requireKept(
    _ position: Int64,
    of log: GlobalID,
    for viewer: Viewer,
    in context: RequestContext
  ) throws {
    let swept = try context.reader.number(of: swept, (log: log, family: viewer.family))
    let since = try context.reader.number(of: familySince, viewer.member)
    guard position >= max(swept ?? 0, since ?? 0) else { throw gap }
  }

  private static let gap = FieldError(
    "Events after this position are no longer available: subscribe without a position, and reload your data.",
    code: .feedGap
  )
}

extension ErrorCode {
  static let feedGap = ErrorCode(rawValue: "FEED_GAP")
}
