import GraphQLTransport
import Storage

/// Finds the sessions of open connections that other processes have ended, or whose members they have moved to another
/// family than that with which a connection was opened. Requests read their session themselves.
struct SessionCheck: Sendable {
  private static let limit = 1_000

  /// The sessions of the open connections of this process.
  let open: @Sendable () -> [ConnectionCounts.OpenSession]
  let endedSessions: EndedSessions

  static let found = SQL<[Int64]>(
    """
    SELECT s.id, s.family_id FROM \(table: \.self) AS k \
    \(join: .asWritten) session AS s ON s.id = k.value\(order: "k.slot")
    """
  )

  func followedData(interval: Int) -> FollowedData {
    FollowedData(
      interval: { interval },
      receivers: [
        .endedSession: { hints in note(hints.map { GlobalID(rawValue: $0.key) }, change: .ended) },
        .movedSession: { hints in note(hints.map { GlobalID(rawValue: $0.key) }, change: .rightsChanged) },
      ],
      read: { reader, _ in try check(with: reader) }
    )
  }

  /// Returns false: the hints of sessions contain all that there is to know.
  private func note(_ sessions: [GlobalID], change: SessionChange) -> Bool {
    endedSessions.note(sessions, change: change)
    return false
  }

  private func check(with reader: Reader) throws {
    var rest = open()[...]
    while !rest.isEmpty {
      let asked = rest.prefix(Self.limit)
      rest = rest.dropFirst(Self.limit)
      let rows = try reader.all(of: Self.found, asked.map(\.id)) { row in (row.int64(0), row.int64(1)) }
      let families = Dictionary(rows) { first, _ in first }
      let ended = asked.filter { families[$0.id] == nil }
      let moved = asked.filter { session in families[session.id].map { $0 != session.rights } ?? false }
      endedSessions.note(ended.map { GlobalID(rawValue: $0.id) }, change: .ended)
      endedSessions.note(moved.map { GlobalID(rawValue: $0.id) }, change: .rightsChanged)
    }
  }
}
