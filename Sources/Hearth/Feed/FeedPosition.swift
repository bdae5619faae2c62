import GraphQL
import Storage

/// Where somebody stands in what happens: the number of the last event that they were told of.
enum FeedPosition {
  static let latest = SQL("SELECT next - 1 FROM sequence")
  static let swept = SQL("SELECT swept FROM family_feed WHERE family_id = ?1")
  static let familySince = SQL("SELECT family_since FROM person WHERE id = ?1")

  /// The newest there is.
  static func latest(_ context: RequestContext) throws -> Int64 {
    try context.reader.statement(latest).first { row in row.int64(0) } ?? 0
  }

  /// What a client gives to go on from.
  static func read(_ text: String, _ context: RequestContext) throws -> Int64 {
    guard let position = Int64(text), position >= 0 else {
      throw FieldError("`position` must be one that came with an event.", code: .badUserInput)
    }
    // It is of data that is not here: of before a backup was put back.
    guard try position <= latest(context) else { throw gap }
    return position
  }

  /// Refuses to go on from where something of the family's may be missing, or from before the viewer came into it: what
  /// happened until then was not theirs, and what they knew is of another family.
  static func requireKept(_ position: Int64, for viewer: Viewer, _ context: RequestContext) throws {
    for (beginning, key) in [(swept, viewer.family), (familySince, viewer.member)] {
      let finding = try context.reader.statement(beginning)
      try finding.bind(1, key.rawValue)
      guard position >= (try finding.first { row in row.int64(0) } ?? 0) else { throw gap }
    }
  }

  private static let gap = FieldError(
    "Events after this position are no longer kept: subscribe without a position, and read anew what you show.",
    code: .feedGap
  )
}

extension ErrorCode {
  static let feedGap = ErrorCode(rawValue: "FEED_GAP")
}
