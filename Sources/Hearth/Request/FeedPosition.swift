import GraphQL
import Storage

/// A client's position in the feed: the number of the last event that was delivered to it. Clients see it enciphered,
/// since the numbers come from the sequence of keys and would reveal how much all families write.
enum FeedPosition {
  static let latest = SQL<Void>("SELECT next - 1 FROM sequence")
  static let swept = SQL<GlobalID>("SELECT swept FROM family_feed WHERE family_id = \(\.self)")
  static let familySince = SQL<GlobalID>("SELECT family_since FROM person WHERE id = \(\.self)")

  /// The newest there is.
  static func latest(_ context: RequestContext) throws -> Int64 {
    try context.reader.first(of: latest, ()) { row in row.int64(0) } ?? 0
  }

  /// The position to resume after, as a client sends it. `0` is the beginning of what is kept.
  static func read(_ text: String, _ context: RequestContext) throws -> Int64 {
    if text == "0" { return 0 }
    guard let position = context.services.cipher.position(of: text) else {
      // Positions were decimal numbers once. To accept them would tell, by which are accepted, how many there are.
      if !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) { throw gap }
      throw FieldError("`position` must be one that came with an event.", code: .badUserInput)
    }
    // A later position is of data from after the backup that is served now.
    guard try position <= latest(context) else { throw gap }
    return position
  }

  /// Refuses to go on from where something of the family's may be missing, or from before the viewer came into it: what
  /// happened until then was not theirs, and what they knew is of another family.
  static func requireKept(_ position: Int64, for viewer: Viewer, _ context: RequestContext) throws {
    for (beginning, key) in [(swept, viewer.family), (familySince, viewer.member)] {
      guard position >= (try context.reader.first(of: beginning, key) { row in row.int64(0) } ?? 0) else { throw gap }
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
