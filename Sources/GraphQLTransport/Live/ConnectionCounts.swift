import GraphQL
import Synchronization

/// The live connections of all loops together: their number for each person, which is limited, and their sessions.
package final class ConnectionCounts: Sendable {
  private let limit: Int
  private let counts = Mutex<[Int64: Int]>([:])
  private let sessionCounts = Mutex<[Int64: Int]>([:])

  package init(limit: Int = 100) { self.limit = limit }

  /// Counts one more connection, until `leave(_:)`. Returns false if the person has reached the limit.
  func enter(_ person: Int64) -> Bool {
    counts.withLock { counts in
      let count = counts[person, default: 0]
      guard count < limit else { return false }
      counts[person] = count + 1
      return true
    }
  }

  func leave(_ person: Int64) {
    counts.withLock { counts in
      guard let count = counts[person], count > 1 else { return counts[person] = nil }
      counts[person] = count - 1
    }
  }

  /// The sessions that have live connections.
  package var sessions: [Int64] { sessionCounts.withLock { Array($0.keys) } }

  /// A loop has the first connection of a session.
  func enter(session: Int64) { sessionCounts.withLock { $0[session, default: 0] += 1 } }

  /// A loop has no connection of a session any more.
  func leave(session: Int64) {
    sessionCounts.withLock { counts in
      let count = counts[session] ?? 0
      counts[session] = count > 1 ? count - 1 : nil
    }
  }

  /// The error for a person who has reached the limit.
  var limitError: GraphQLError {
    GraphQLError(
      "You have \(limit) open live connections, which is the maximum: close one, or try again later.",
      code: .tooManyConnections
    )
  }
}

extension ErrorCode {
  static let tooManyConnections = ErrorCode(rawValue: "TOO_MANY_CONNECTIONS")
}
