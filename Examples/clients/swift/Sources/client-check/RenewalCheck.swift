import FamilyOperations
import Foundation
import HearthClient
import Synchronization

enum RenewalCheck {
  /// A server that is not available when a token has to be renewed does not end the session.
  static func run(_ endpoint: URL) async throws {
    let credentials = Credentials(accessToken: "expired", refreshToken: "unused")
    let client = HearthClient(endpoint: endpoint, credentials: credentials)
    do {
      _ = try await client.fetch(ViewerQuery())
      throw CheckFailure("the token was accepted")
    } catch let error as HearthError {
      guard case .failed = error, error.codes == ["STORAGE_UNAVAILABLE"] else { throw error }
    }
    try expect(await client.credentials == credentials)
  }

  /// A subscription whose token cannot be renewed at first goes on when it can, and tells when it is connected.
  static func runLate(_ endpoint: URL) async throws {
    let credentials = Credentials(accessToken: "expired", refreshToken: "refresh")
    let client = HearthClient(endpoint: endpoint, credentials: credentials)
    let states = Mutex<[Bool]>([])
    let events = client.subscribe(to: FamilyChangedSubscription()) { isConnected in
      states.withLock { $0.append(isConnected) }
    }
    var names: [String] = []
    for try await data in events {
      if case .itemChanged(let changed) = data.familyChanged { names.append(changed.item.name) }
    }
    try expect(names == ["late"], names)
    try expect(states.withLock { $0 } == [false, true], states.withLock { $0 })
    try expect(await client.credentials?.accessToken == "renewed")
  }

  /// Requests that wait for a renewal while another person signs in are not sent with the tokens of the previous one.
  /// Neither is a request of the other person whose token expires during that renewal.
  static func runReplaced(_ endpoint: URL) async throws {
    let credentials = Credentials(accessToken: "first", refreshToken: "first")
    let client = HearthClient(endpoint: endpoint, credentials: credentials)
    async let one = client.fetch(ViewerQuery())
    async let another = client.fetch(ViewerQuery())
    // The server answers this when both wait for the renewal.
    _ = try await HearthClient(endpoint: endpoint).fetch(ViewerQuery())
    await client.use(Credentials(accessToken: "second", refreshToken: "second"))
    _ = try await client.fetch(ViewerQuery())
    _ = try await (one, another)
    try expect(await client.credentials?.accessToken == "renewed second")
  }
}
