import GraphQL
import HTTPServer
import Synchronization

/// The live connections of all loops together: their number for each person and for the anonymous callers of each
/// network, which are limited, and their sessions.
package final class ConnectionCounts: Sendable {
  private let limit: Int
  private let anonymousLimit: Int
  private let counts = Mutex<[Int64: Int]>([:])
  private let anonymousCounts = Mutex<[ByteOwner: Int]>([:])
  private let sessionCounts = Mutex<[Int64: Int]>([:])

  /// - Parameters:
  ///   - limit: of a person.
  ///   - anonymousLimit: of the callers of a network that are not signed in, or not yet.
  package init(limit: Int = 100, anonymousLimit: Int = 1000) {
    self.limit = limit
    self.anonymousLimit = anonymousLimit
  }

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

  /// A place for one more anonymous connection of a network.
  func place(for network: ByteOwner) throws(GraphQLError) -> AnonymousPlace {
    let isFree = anonymousCounts.withLock { counts in
      let count = counts[network, default: 0]
      guard count < anonymousLimit else { return false }
      counts[network] = count + 1
      return true
    }
    guard isFree else {
      throw GraphQLError(
        "Your network has \(anonymousLimit) live connections without a session, which is the maximum: sign in, or try again later.",
        code: .tooManyConnections
      )
    }
    return AnonymousPlace(of: network, in: self)
  }

  fileprivate func leave(_ network: ByteOwner) {
    anonymousCounts.withLock { counts in
      let count = counts[network] ?? 0
      counts[network] = count > 1 ? count - 1 : nil
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

/// The place of an anonymous connection, which is free again when nothing refers to it any more: so a handshake that
/// fails keeps none.
final class AnonymousPlace: Sendable {
  private let network: ByteOwner
  private let counts: ConnectionCounts

  fileprivate init(of network: ByteOwner, in counts: ConnectionCounts) {
    self.network = network
    self.counts = counts
  }

  deinit { counts.leave(network) }
}

extension ErrorCode {
  static let tooManyConnections = ErrorCode(rawValue: "TOO_MANY_CONNECTIONS")
}
