import GraphQL
import HTTPServer
import Synchronization

/// The live connections of all loops together: their number for each person, for each family and for the anonymous
/// callers of each network, which are limited, and their sessions.
package final class ConnectionCounts: Sendable {
  /// The limit of a family, as a multiple of a person's. An account can add many children, each of whom is a person.
  private static let familyFactor = 5

  /// A session, and the rights with which its connections were opened.
  package struct OpenSession: Hashable, Sendable {
    package let id: Int64
    package let rights: Int64

    fileprivate init(_ session: SessionIdentity) {
      id = session.id
      rights = session.rights
    }
  }

  private let limit: Int
  private let anonymousLimit: Int
  private let people = Mutex(Tally<Int64>())
  private let families = Mutex(Tally<Int64>())
  private let networks = Mutex(Tally<Payer>())
  private let openSessions = Mutex(Tally<OpenSession>())

  /// - Parameters:
  ///   - limit: of a person.
  ///   - anonymousLimit: of the callers of a network that are not signed in, or not yet.
  package init(limit: Int = 100, anonymousLimit: Int = 1000) {
    self.limit = limit
    self.anonymousLimit = anonymousLimit
  }

  /// Counts one more connection of a session until `leave(_:)`. Throws if its person, or their family, if any, has
  /// reached the limit.
  func enter(_ session: SessionIdentity) throws(GraphQLError) {
    guard people.withLock({ $0.enter(session.person, atMost: limit) }) else {
      throw Self.limitError("You have \(limit) open live connections")
    }
    let familyLimit = limit * Self.familyFactor
    if let family = session.family, !families.withLock({ $0.enter(family, atMost: familyLimit) }) {
      people.withLock { $0.leave(session.person) }
      throw Self.limitError("Your family has \(familyLimit) open live connections")
    }
    openSessions.withLock { _ = $0.enter(OpenSession(session)) }
  }

  func leave(_ session: SessionIdentity) {
    people.withLock { $0.leave(session.person) }
    if let family = session.family { families.withLock { $0.leave(family) } }
    openSessions.withLock { $0.leave(OpenSession(session)) }
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

  /// The sessions that have live connections. A session whose rights have changed can be there with several.
  package var sessions: [OpenSession] { openSessions.withLock { $0.keys } }

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
