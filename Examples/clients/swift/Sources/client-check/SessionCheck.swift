import FamilyOperations
import Foundation
import HearthClient
import Swift5App
import Synchronization

/// What the server does depends on the access token.
enum SessionCheck {
  static func run(_ endpoint: URL) async throws {
    try await ended(endpoint)
    try await endedByEvent(endpoint)
    try await signedOut(endpoint)
    try await replaced(endpoint)
    try await replacedWhileWaiting(endpoint)
    try await replacedDuringRenewal(endpoint)
    try await replacedDuringLostRenewal(endpoint)
    try await replacedDuringMutation(endpoint)
    try await replacedDuringQuery(endpoint)
    try await cancelled(endpoint)
    try await missed(endpoint)
    for isPositioned in [true, false] { try await slow(endpoint, isPositioned: isPositioned) }
    try await endedDuringRenewal(endpoint)
    try await spent(endpoint)
  }

  private nonisolated static func credentials(_ name: String) -> Credentials {
    Credentials(accessToken: name, refreshToken: name)
  }

  /// The client reports a session that has ended elsewhere, also to an app in the Swift 5 mode.
  private static func ended(_ endpoint: URL) async throws {
    for isSwift5 in [false, true] {
      let reported = Mutex<[Credentials?]>([])
      let report: @Sendable (Credentials?) -> Void = { next in reported.withLock { $0.append(next) } }
      let credentials = credentials("revoked")
      let client =
        isSwift5
        ? Swift5App.client(endpoint: endpoint, credentials: credentials, credentialsDidChange: report)
        : HearthClient(endpoint: endpoint, credentials: credentials) { report($0) }
      do {
        _ = try await client.fetch(ViewerQuery())
        throw CheckFailure("the token was accepted")
      } catch let error as HearthError {
        guard case .signedOut = error, error.codes == ["TOKEN_REVOKED"], !error.isTemporary else { throw error }
      }
      try expect(await client.credentials == nil)
      try expect(reported.withLock { $0 } == [nil], (isSwift5, reported.withLock { $0 }))
    }
  }

  private static func endedByEvent(_ endpoint: URL) async throws {
    let client = HearthClient(endpoint: endpoint, credentials: credentials("ending"))
    let states = Mutex<[Bool]>([])
    let events = client.subscribe(to: FamilyChangedSubscription()) { isConnected in
      states.withLock { $0.append(isConnected) }
    }
    do {
      for try await data in events { throw CheckFailure("\(data)") }
      throw CheckFailure("It ended as if it were complete.")
    } catch let error as HearthError {
      guard case .signedOut = error, error.codes == ["SESSION_ENDED"] else { throw error }
    }
    try expect(await client.credentials == nil)
    try expect(states.withLock { $0 } == [true, false], states.withLock { $0 })
  }

  /// After a sign-out, a subscription does not connect without credentials.
  private static func signedOut(_ endpoint: URL) async throws {
    let client = HearthClient(endpoint: endpoint, credentials: credentials("first"))
    let states = Mutex<[Bool]>([])
    let events = client.subscribe(to: FamilyChangedSubscription()) { isConnected in
      states.withLock { $0.append(isConnected) }
    }
    var count = 0
    do {
      for try await _ in events {
        count += 1
        await client.use(nil)
      }
      throw CheckFailure("It ended as if it were complete.")
    } catch let error as HearthError {
      guard case .signedOut([]) = error, error.localizedDescription == "The session has ended." else { throw error }
    }
    try expect(count == 1, count)
    try expect(states.withLock { $0 } == [true, false], states.withLock { $0 })
  }

  /// The next member does not get the events of the previous one, not even those that have been received.
  private static func replaced(_ endpoint: URL) async throws {
    let client = HearthClient(endpoint: endpoint, credentials: credentials("first"))
    var names: [String] = []
    for try await data in client.subscribe(to: FamilyChangedSubscription()) {
      if case .itemChanged(let changed) = data.familyChanged { names.append(changed.item.name) }
      if names.count == 1 { await client.use(credentials("second")) }
    }
    try expect(names == ["first", "second"], names)
  }

  /// A limit of the previous member is not one of the next.
  private static func replacedWhileWaiting(_ endpoint: URL) async throws {
    let client = HearthClient(endpoint: endpoint, credentials: credentials("limited"))
    let start = ContinuousClock.now
    let events = client.subscribe(to: FamilyChangedSubscription()) { isConnected in
      guard !isConnected else { return }
      Task {
        try await Task.sleep(for: .milliseconds(500))
        if await client.credentials == credentials("limited") { await client.use(credentials("second")) }
      }
    }
    var count = 0
    for try await _ in events { count += 1 }
    try expect(count == 1, count)
    try expect(start.duration(to: .now) < .seconds(20), start.duration(to: .now))
  }

  /// The app learns that the subscription begins again: what it has loaded is not of the next member.
  private static func replacedDuringRenewal(_ endpoint: URL) async throws {
    let client = HearthClient(endpoint: endpoint, credentials: credentials("expiring"))
    let states = Mutex<[Bool]>([])
    let events = client.subscribe(to: FamilyChangedSubscription()) { isConnected in
      states.withLock { $0.append(isConnected) }
    }
    async let replacement: Bool = replaceDuringRenewal(client)
    var count = 0
    for try await _ in events { count += 1 }
    let isReplaced = await replacement
    try expect(isReplaced && count == 1, (isReplaced, count))
    try expect(states.withLock { $0 } == [true, false, true], states.withLock { $0 })
  }

  /// The server answers the first request when the renewal has arrived, and the renewal when the second request has.
  private static func replaceDuringRenewal(_ client: HearthClient) async -> Bool {
    let hasArrived = await succeeds(HearthClient(endpoint: client.endpoint, credentials: credentials("when renewal")))
    await client.use(credentials("second"))
    let isSent = await succeeds(HearthClient(endpoint: client.endpoint, credentials: credentials("next renewal")))
    return hasArrived && isSent
  }

  /// The renewal of the previous member does not keep the next one waiting. The server answers it after 30 seconds.
  private static func replacedDuringLostRenewal(_ endpoint: URL) async throws {
    let client = HearthClient(endpoint: endpoint, credentials: credentials("stuck"))
    let start = ContinuousClock.now
    let replacement = Task {
      let hasArrived = await succeeds(HearthClient(endpoint: endpoint, credentials: credentials("when lost renewal")))
      await client.use(credentials("second"))
      return hasArrived
    }
    var count = 0
    for try await _ in client.subscribe(to: FamilyChangedSubscription()) { count += 1 }
    let isReplaced = await replacement.value
    try expect(isReplaced && count == 1, (isReplaced, count))
    try expect(start.duration(to: .now) < .seconds(20), start.duration(to: .now))
  }

  /// A mutation of the previous member is not executed as the next one. The server counts the mutations.
  private static func replacedDuringMutation(_ endpoint: URL) async throws {
    for (name, code) in [("revoked late", "TOKEN_REVOKED"), ("expired late", "TOKEN_EXPIRED")] {
      let store = Mutex<Credentials?>(credentials(name))
      let client = HearthClient(
        endpoint: endpoint,
        credentials: credentials(name),
        credentialsDidChange: { next in store.withLock { $0 = next } },
        storedCredentials: { store.withLock { $0 } }
      )
      async let mutation = client.response(to: AddItemMutation(input: .init(name: "Tent")))
      // The server answers this when the mutation has arrived, and the mutation when the next member has signed in.
      try expect(await succeeds(HearthClient(endpoint: endpoint, credentials: credentials("when " + name))))
      await client.use(nil)
      await client.use(credentials("next " + name))
      try expect(await succeeds(client))
      let errors = try await mutation.errors
      try expect(errors.map(\.code) == [code], errors)
      try expect(await client.credentials == credentials("next " + name))
    }
  }

  /// A query of the previous member, whose session has ended, is sent again with the tokens of the next one.
  private static func replacedDuringQuery(_ endpoint: URL) async throws {
    let client = HearthClient(endpoint: endpoint, credentials: credentials("revoked query"))
    async let query: Bool = succeeds(client)
    // The server answers this when the query has arrived, and the query when the next member has signed in.
    try expect(await succeeds(HearthClient(endpoint: endpoint, credentials: credentials("when revoked query"))))
    await client.use(credentials("next revoked query"))
    try expect(await succeeds(client))
    let isRepeated = await query
    try expect(isRepeated)
    try expect(await client.credentials == credentials("next revoked query"))
  }

  /// A request that waits for a renewal ends with its task.
  private static func cancelled(_ endpoint: URL) async throws {
    let client = HearthClient(endpoint: endpoint, credentials: credentials("hanging"))
    let task = Task { try await client.fetch(ViewerQuery()) }
    try await Task.sleep(for: .seconds(1))
    let start = ContinuousClock.now
    task.cancel()
    do {
      _ = try await task.value
      throw CheckFailure("it was cancelled")
    } catch let error as HearthError {
      try expect(error.isCancellation, error)
    }
    try expect(start.duration(to: .now) < .seconds(10), start.duration(to: .now))
    try expect(await client.credentials == credentials("hanging"))
  }

  /// Without a position, the events that were too fast would be missed: the app has to load everything again.
  private static func missed(_ endpoint: URL) async throws {
    let client = HearthClient(endpoint: endpoint, credentials: credentials("fast"))
    do {
      for try await data in client.subscribe(to: FamilyChangedSubscription()) { throw CheckFailure("\(data)") }
      throw CheckFailure("It ended as if it were complete.")
    } catch let error as HearthError {
      try expect(error.codes == ["EVENTS_TOO_FAST"] && error.isTemporary, error)
    }
  }

  /// The server sends more than a connection may keep while the loop handles the first event.
  private static func slow(_ endpoint: URL, isPositioned: Bool) async throws {
    let name = isPositioned ? "flood" : "flood without positions"
    let client = HearthClient(endpoint: endpoint, credentials: credentials(name))
    var names: [String] = []
    do {
      for try await data in client.subscribe(to: FamilyChangedSubscription()) {
        if case .itemChanged(let changed) = data.familyChanged { names.append(changed.item.name) }
        guard names.count == 1 else { continue }
        // The server answers this when the connection is closed, or has taken 64 MiB.
        try expect(await succeeds(HearthClient(endpoint: endpoint, credentials: credentials("when " + name))))
      }
      try expect(isPositioned && names.last == "last", names.count)
    } catch let error as HearthError {
      try expect(!isPositioned && error.codes == ["EVENTS_TOO_FAST"], error)
    }
    // What has been received is delivered. The server numbers the events.
    let numbers = names.compactMap { Int($0) }
    try expect(numbers.count > 50 && numbers.count < 70 && numbers == Array(1...numbers.count), numbers)
  }

  static func succeeds(_ client: HearthClient) async -> Bool {
    do throws(HearthError) {
      _ = try await client.fetch(ViewerQuery())
      return true
    } catch {
      return false
    }
  }

  /// The app is ended during a renewal. The next one, which has what was stored, repeats it with the same key. The
  /// server compares the keys.
  private static func endedDuringRenewal(_ endpoint: URL) async throws {
    let store = Mutex<Data?>(nil)
    let didChange: @Sendable (Credentials?) -> Void = { next in
      store.withLock { $0 = next.flatMap { try? JSONEncoder().encode($0) } }
    }
    func stored() throws -> Credentials? {
      try store.withLock { $0 }.map { try JSONDecoder().decode(Credentials.self, from: $0) }
    }
    let first = HearthClient(endpoint: endpoint, credentialsDidChange: didChange)
    await first.use(credentials("closing"))
    try expect(await !succeeds(first))
    let before = try stored()
    let next = HearthClient(endpoint: endpoint, credentials: before, credentialsDidChange: didChange)
    try expect(await succeeds(next))
    let after = try stored()
    try expect(after?.accessToken == "renewed" && after?.renewalKey != before?.renewalKey, after as Any)
    // What an earlier version has stored.
    let old = try JSONDecoder().decode(Credentials.self, from: Data(#"{"accessToken": "a", "refreshToken": "b"}"#.utf8))
    try expect(old.refreshToken == "b" && !old.renewalKey.isEmpty, old)
  }

  /// Since the renewal was executed, its session has ended: the next attempt would fail as well.
  private static func spent(_ endpoint: URL) async throws {
    let client = HearthClient(endpoint: endpoint, credentials: credentials("spent"))
    try expect(await !succeeds(client))
    try expect(await client.credentials == nil)
  }
}
