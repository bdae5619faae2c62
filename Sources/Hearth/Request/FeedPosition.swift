import GraphQL
import Storage

/// A client's resume position in the feed of its family: the position of the last event that it received. Clients see
/// it encrypted: positions of earlier versions were numbers of the sequence of keys, which reveal how much all families
/// write, and families have continued from there.
enum FeedPosition {
  static let swept = SQL<GlobalID>("SELECT swept FROM family_feed WHERE family_id = \(\.self)")
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

  /// Throws if events of the family after the position may be missing, or if the position is before the viewer joined
  /// the family: earlier events are not theirs, and their earlier positions belong to another family.
  static func requireKept(_ position: Int64, for viewer: Viewer, in context: RequestContext) throws {
    for (beginning, key) in [(swept, viewer.family), (familySince, viewer.member)] {
      guard position >= (try context.reader.number(of: beginning, key) ?? 0) else { throw gap }
    }
  }

  private static let gap = FieldError(
    "Events after this position are no longer available: subscribe without a position, and reload your data.",
    code: .feedGap
  )
}

extension ErrorCode {
  static let feedGap = ErrorCode(rawValue: "FEED_GAP")
}
