import GraphQL
import HTTPServer
import Synchronization

/// The live connections of all loops together: their number for each person, for each family and for the anonymous
/// callers of each network, which are limited, and their sessions.
package final class ConnectionCounts: Sendable {
  /// The limit of a family, as a multiple of a person's. An account can add many children, each of whom is a person.
  private static let familyFactor = 5

  private let limit: Int
  private let anonymousLimit: Int
  private let people = Mutex(Tally<Int64>())
  private let families = Mutex(Tally<Int64>())
  private let networks = Mutex(Tally<Payer>())
  private let openSessions = Mutex(Tally<Int64>())

  /// - Parameters:
  ///   - limit: of a person.
  ///   - anonymousLimit: of the callers of a network that are not signed in, or not yet.
  package init(limit: Int = 100, anonymousLimit: Int = 1000) {
    self.limit = limit
    self.anonymousLimit = anonymousLimit
  }

  /// Counts one more connection of a person and of their family, if any, until `leave(_:of:)`. Throws if one of them
  /// has reached the limit.
  func enter(_ person: Int64, of family: Int64?) throws(GraphQLError) {
    guard people.withLock({ $0.enter(person, atMost: limit) }) else {
      throw Self.limitError("You have \(limit) open live connections")
    }
    let familyLimit = limit * Self.familyFactor
    guard let family, !families.withLock({ $0.enter(family, atMost: familyLimit) }) else { return }
    people.withLock { $0.leave(person) }
    throw Self.limitError("Your family has \(familyLimit) open live connections")
  }

  func leave(_ person: Int64, of family: Int64?) {
    people.withLock { $0.leave(person) }
    if let family { families.withLock { $0.leave(family) } }
  }

  /// Takes a place for one more anonymous connection of a network.
  func takePlace(in network: Payer) throws(GraphQLError) -> AnonymousPlace {
    guard networks.withLock({ $0.enter(network, atMost: anonymousLimit) }) else {
      throw GraphQLError(
        "Your network has \(anonymousLimit) live connections without a session, which is the maximum: sign in, or try again later.",
        code: .tooManyConnections
      )
    }
    return AnonymousPlace(of: network, in: self)
  }

  fileprivate func leave(_ network: Payer) { networks.withLock { $0.leave(network) } }

  /// The sessions that have live connections.
  package var sessions: [Int64] { openSessions.withLock { $0.keys } }

  /// A loop has the first connection of a session.
  func enter(session: Int64) { openSessions.withLock { _ = $0.enter(session) } }

  /// A loop has no connection of a session any more.
  func leave(session: Int64) { openSessions.withLock { $0.leave(session) } }

  private static func limitError(_ number: String) -> GraphQLError {
    GraphQLError("\(number), which is the maximum: close one, or try again later.", code: .tooManyConnections)
  }
}

/// How many connections each key has.
private struct Tally<Key: Hashable & Sendable> {
  private var counts: [Key: Int] = [:]

  var keys: [Key] { Array(counts.keys) }

  /// Counts one more. Returns false if there are `limit` already.
  mutating func enter(_ key: Key, atMost limit: Int = .max) -> Bool {
    let count = counts[key, default: 0]
    guard count < limit else { return false }
    counts[key] = count + 1
    return true
  }

  mutating func leave(_ key: Key) {
    let count = counts[key] ?? 0
    counts[key] = count > 1 ? count - 1 : nil
  }
}

/// The place of an anonymous connection, which is free again when nothing refers to it any more: so a handshake that
/// fails keeps none.
final class AnonymousPlace: Sendable {
  private let network: Payer
  private let counts: ConnectionCounts

  fileprivate init(of network: Payer, in counts: ConnectionCounts) {
    self.network = network
    self.counts = counts
  }

  deinit { counts.leave(network) }
}

extension ErrorCode {
  static let tooManyConnections = ErrorCode(rawValue: "TOO_MANY_CONNECTIONS")
}
