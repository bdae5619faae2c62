import GraphQL
import Synchronization

/// The number of live connections of each person, on all loops together. It is limited.
package final class ConnectionCounts: Sendable {
  private let limit: Int
  private let counts = Mutex<[Int64: Int]>([:])

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
