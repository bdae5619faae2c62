import GraphQL
import Synchronization

/// How many live connections each person has open, on all loops together: who has too many gets no more.
package final class ConnectionCounts: Sendable {
  private let limit: Int
  private let counts = Mutex<[Int64: Int]>([:])

  package init(limit: Int = 100) { self.limit = limit }

  /// Whether one more may be open. It is, then, until `leave`.
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

  /// What whoever may have no more is told.
  var refusal: GraphQLError {
    GraphQLError("You have \(limit) live connections open: close one, or come again later.", code: .tooManyConnections)
  }
}

extension ErrorCode {
  static let tooManyConnections = ErrorCode(rawValue: "TOO_MANY_CONNECTIONS")
}
