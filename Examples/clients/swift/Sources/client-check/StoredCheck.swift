import FamilyOperations
import Foundation
import HearthClient
import Synchronization

/// Another client, as that of a widget, has stored credentials. What the server does depends on the access token.
enum StoredCheck {
  static func run(_ endpoint: URL) async throws {
    try await renewed(endpoint)
    try await renewedWhileConnected(endpoint)
    for name in ["revoked", "expired"] { try await replaced(endpoint, name) }
    try await replacedDuringRenewal(endpoint)
    for isFollowed in [false, true] { try await replacedWhileConnected(endpoint, isFollowed: isFollowed) }
    try await written(endpoint)
    try await withoutKeys(endpoint)
    try await unwritten(endpoint)
  }

  /// The pairs of a sign-in have the same first half of the key.
  private nonisolated static func pair(_ name: String, signIn: String = "one") -> Credentials {
    let half = signIn.padding(toLength: 18, withPad: "-", startingAt: 0)
    return Credentials(accessToken: name, refreshToken: name, renewalKey: half + name)
  }

  /// What clients share, and what the app of one has received.
  private nonisolated final class Store: Sendable {
    private let current: Mutex<Credentials?>
    private let changes = Mutex<[String?]>([])
    private let replacements = Mutex<[Credentials]>([])

    init(_ stored: Credentials) { current = Mutex(stored) }

    var stored: Credentials? { current.withLock { $0 } }
    var written: [String?] { changes.withLock { $0 } }
    var replaced: [Credentials] { replacements.withLock { $0 } }

    func set(_ next: Credentials?) { current.withLock { $0 = next } }

    func client(_ endpoint: URL, _ credentials: Credentials) -> HearthClient {
      HearthClient(
        endpoint: endpoint,
        credentials: credentials,
        credentialsDidChange: { next in
          self.set(next)
          self.changes.withLock { $0.append(next?.accessToken) }
        },
        sessionWasReplaced: { stored in self.replacements.withLock { $0.append(stored) } },
        storedCredentials: { self.stored }
      )
    }
  }

  /// The other client has renewed the tokens. Requests are sent once more with what it has stored, which is not written
  /// back.
  private static func renewed(_ endpoint: URL) async throws {
    let cases: [(name: String, next: String, expected: String?, written: [String?])] = [
      ("expired", "other", "other", []), ("revoked", "other", "other", []),
      ("revoked", "expired again", "renewed", ["renewed"]), ("revoked", "revoked too", nil, [nil]),
      ("revoked in part", "other", "other", []),
    ]
    for (name, next, expected, written) in cases {
      let store = Store(pair(next))
      let client = store.client(endpoint, pair(name))
      async let one: Bool = SessionCheck.succeeds(client)
      async let another: Bool = SessionCheck.succeeds(client)
      let succeeded = await [one, another]
      let isRepeated = expected != nil && name != "revoked in part"
      try expect(succeeded == [isRepeated, isRepeated], (name, next, succeeded))
      let current = await client.credentials
      try expect(current?.accessToken == expected && store.stored == current, (name, next))
      try expect(store.written == written && store.replaced.isEmpty, (name, next, store.written))
      // The pair that this client has renewed is of the same sign-in, too.
      let half = pair(name).renewalKey.prefix(18)
      try expect(current?.renewalKey.hasPrefix(half) ?? true, (name, next, current?.renewalKey as Any))
    }
  }

  private static func renewedWhileConnected(_ endpoint: URL) async throws {
    let client = Store(pair("second")).client(endpoint, pair("ending"))
    var names: [String] = []
    for try await data in client.subscribe(to: FamilyChangedSubscription()) {
      if case .itemChanged(let changed) = data.familyChanged { names.append(changed.item.name) }
    }
    try expect(names == ["second"], names)
  }

  /// Another person has signed in. The session of this client ends, and what is stored is left alone.
  private static func replaced(_ endpoint: URL, _ name: String) async throws {
    let other = pair("other", signIn: "two")
    let store = Store(other)
    let client = store.client(endpoint, pair(name))
    // A query in the background is the first to find it.
    try expect(await !SessionCheck.succeeds(client), name)
    do {
      _ = try await client.perform(AddItemMutation(input: .init(name: "Tent")))
      throw CheckFailure("It was executed.")
    } catch let error as HearthError {
      guard case .signedOut = error else { throw error }
    }
    try await expectReplaced(store, by: other, client)
    // As an app does after `signedOut`.
    await client.use(nil)
    try expect(store.stored == other && store.written.isEmpty, store.written)
  }

  /// The other person signs in while the tokens are renewed for a mutation. The server counts the mutations.
  private static func replacedDuringRenewal(_ endpoint: URL) async throws {
    let other = pair("other", signIn: "two")
    let store = Store(pair("expiring-elsewhere"))
    let client = store.client(endpoint, pair("expiring-elsewhere"))
    async let mutation = client.response(to: AddItemMutation(input: .init(name: "Tent")))
    // The server answers the first request when the renewal has arrived, and the renewal when the second request has.
    try expect(await SessionCheck.succeeds(HearthClient(endpoint: endpoint, credentials: pair("when elsewhere"))))
    store.set(other)
    try expect(await SessionCheck.succeeds(HearthClient(endpoint: endpoint, credentials: pair("next elsewhere"))))
    let errors = try await mutation.errors
    try expect(errors.map(\.code) == ["TOKEN_EXPIRED"], errors)
    try await expectReplaced(store, by: other, client)
  }

  private static func expectReplaced(_ store: Store, by other: Credentials, _ client: HearthClient) async throws {
    try expect(await client.credentials == nil)
    try expect(store.replaced == [other], store.replaced)
    try expect(store.replaced.first?.renewalKey == other.renewalKey)
    try expect(store.stored == other && store.written.isEmpty, store.written)
  }

  /// A subscription ends when a request finds the sign-in of another person. If the app follows that person, it begins
  /// again, without the position.
  private static func replacedWhileConnected(_ endpoint: URL, isFollowed: Bool) async throws {
    let store = Store(pair("second", signIn: "two"))
    let client = store.client(endpoint, pair("first"))
    var names: [String] = []
    do {
      for try await data in client.subscribe(to: FamilyChangedSubscription()) {
        if case .itemChanged(let changed) = data.familyChanged { names.append(changed.item.name) }
        guard names.count == 1 else { continue }
        try expect(await !SessionCheck.succeeds(client))
        let other = try expectSome(store.replaced.first)
        if isFollowed { await client.use(other) }
      }
      try expect(isFollowed, "It ended as if it were complete.")
    } catch let error as HearthError {
      guard case .signedOut([]) = error, !isFollowed else { throw error }
    }
    try expect(names == (isFollowed ? ["first", "second"] : ["first"]), names)
    try expect(store.written.isEmpty, store.written)
  }

  /// The credentials of a sign-in are written. What is stored already, or has been renewed since, is not.
  private static func written(_ endpoint: URL) async throws {
    let store = Store(pair("first"))
    let client = store.client(endpoint, pair("first"))
    await client.use(pair("before"))
    try expect(store.written.isEmpty && store.stored == pair("first"), store.written)
    await client.use(Credentials(accessToken: "next", refreshToken: "next"))
    await client.use(nil)
    try expect(store.written == ["next", nil], store.written)
    // A sign-out leaves the sign-in of another person.
    let other = pair("other", signIn: "two")
    await client.use(pair("first"))
    store.set(other)
    await client.use(nil)
    try expect(store.stored == other && store.written == ["next", nil, "first"], store.written)
  }

  /// Two clients find a pair without a key, as of an earlier version. The second one follows the renewal of the first.
  private static func withoutKeys(_ endpoint: URL) async throws {
    let store = Store(Credentials(accessToken: "expired again", refreshToken: "expired again"))
    let clients = [0, 1].map { _ in
      store.client(endpoint, Credentials(accessToken: "expired again", refreshToken: "expired again"))
    }
    for client in clients { try expect(await SessionCheck.succeeds(client)) }
    try expect(store.written == ["renewed"] && store.replaced.isEmpty, store.written)
    for client in clients { try expect(await client.credentials?.accessToken == "renewed") }
    // The app stores the tokens without the key.
    store.set(store.stored.map { Credentials(accessToken: $0.accessToken, refreshToken: $0.refreshToken) })
    await clients[1].use(nil)
    try expect(store.stored == nil && store.replaced.isEmpty, store.written)
  }

  /// The app could not store what this client has renewed, as on a locked device. What is stored is not the pair of
  /// another client. The server renews these tokens twice.
  private static func unwritten(_ endpoint: URL) async throws {
    let stored = pair("kept")
    let client = HearthClient(endpoint: endpoint, credentials: stored, storedCredentials: { stored })
    try expect(await SessionCheck.succeeds(client))
    let current = await client.credentials
    try expect(current?.accessToken == "renewed", current as Any)
  }
}
