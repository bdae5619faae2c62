import GraphQL
import Storage

/// What has to be read of a family's feed, because writes of other processes have added to it.
struct FeedReading: Sendable {
  /// Entries of one kind that are read at once.
  private static let limit: Int64 = 512

  let family: GlobalID
  /// Nil if only the newest position is needed.
  let after: Int64?
  /// `FollowedFamilies.Family.hints` before the reading.
  let hints: Int
  /// What is published of a position to a topic.
  typealias Entry = (position: Int64, publications: [Feed.Publication])

  /// Reads the next entries of a family after a position for a topic: lists that are complete up to their ends, if they
  /// have as many as the limit.
  typealias Source =
    @Sendable (Topic, _ family: GlobalID, _ after: Int64, _ limit: Int64, Reader) throws -> [[Entry]]

  /// Consecutive entries.
  struct Piece {
    var entries: [Entry] = []
    /// The position up to which the piece is complete.
    var reached: Int64
    /// Whether the snapshot has nothing after it.
    var isLast = true
  }

  static let positions = SQL<[Int64]>(
    """
    SELECT f.family_id, f.position FROM \(table: \.self) AS k \
    \(join: .asWritten) family_feed AS f ON f.family_id = k.value\(order: "k.slot")
    """
  )

  /// Reads the newest positions of families, by key. Families that have never had an event are left out.
  static func positions(of readings: [FeedReading], from reader: Reader) throws -> [GlobalID: Int64] {
    let families = readings.map(\.family.rawValue)
    let rows = try reader.all(of: positions, families) { row in (row.key(0), row.int64(1)) }
    return Dictionary(rows) { first, _ in first }
  }

  /// Reads the entries after a position, of the snapshot in which `newest` is the newest one: it has all before it.
  ///
  /// - Parameter topics: the topics with subscribers, found after the snapshot has begun. A topic that is added later
  ///   has a backlog that is newer.
  func read(
    _ sources: [String: Source],
    of topics: [Topic],
    after position: Int64,
    newest: Int64,
    from reader: Reader
  ) throws -> Piece {
    var piece = Piece(reached: newest)
    for topic in topics {
      guard let source = sources[topic.name] else { continue }
      for entries in try source(topic, family, position, Self.limit, reader) {
        piece.entries += entries
        // There may be more.
        guard entries.count >= Int(Self.limit), let last = entries.last?.position else { continue }
        guard last < piece.reached else { continue }
        piece.reached = last
        piece.isLast = false
      }
    }
    piece.entries.removeAll { $0.position > piece.reached }
    piece.entries.sort { $0.position < $1.position }
    return piece
  }
}
