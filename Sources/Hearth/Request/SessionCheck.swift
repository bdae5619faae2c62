import GraphQLTransport
import Storage

/// Finds the sessions of open connections that other processes have ended, or whose members they have moved to another
/// family. Requests read their session themselves.
struct SessionCheck: Sendable {
  private static let limit = 1_000

  /// The sessions of the open connections of this process.
  let open: @Sendable () -> [Int64]
  let endedSessions: EndedSessions
  let viewers: SessionViewers

  static let found = SQL<[Int64]>(
    """
    SELECT s.id, s.member_id, s.family_id FROM \(table: \.self) AS k \
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
      let sessions = Array(rest.prefix(Self.limit))
      rest = rest.dropFirst(Self.limit)
      let rows = try reader.all(of: Self.found, sessions) { row in
        Viewer(
          session: row.key(0),
          member: row.key(1),
          family: row.key(2)
        )
      }
      let found = Dictionary(rows.map { ($0.session, $0) }) { first, _ in first }
      let asked = sessions.map { GlobalID(rawValue: $0) }
      let moved = asked.filter { session in found[session].map { $0 != viewers[session] ?? $0 } ?? false }
      endedSessions.note(asked.filter { found[$0] == nil }, change: .ended)
      endedSessions.note(moved, change: .rightsChanged)
    }
  }
}
