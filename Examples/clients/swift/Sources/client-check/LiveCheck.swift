import FamilyOperations
import Foundation
import HearthClient
import Synchronization

/// A subscription that outlives its access token, and its server. Things are added until the first is heard; then it says "heard" and listens on,
/// while others stop the server, add "meanwhile" while it is out of sight, start it again and add "last".
enum LiveCheck {
  static func run(_ endpoint: URL, _ credentials: Credentials) async throws {
    let client = HearthClient(endpoint: endpoint, credentials: credentials)
    let isListening = Atomic(false)
    async let heard = names(client, isListening)
    var added = 0
    while !isListening.load(ordering: .acquiring), added < 5000 {
      added += 1
      _ = try await client.perform(AddItemMutation(input: .init(name: "\(added)")))
    }
    print("heard")
    // The test reads the line from a pipe.
    fflush(nil)
    let names = try await heard
    let first = try expectSome(names.first.flatMap { Int($0) })
    try expect(names == (first...added).map(String.init) + ["meanwhile", "last"], "\(added) added: \(names)")
  }

  private static func names(_ client: HearthClient, _ isListening: borrowing Atomic<Bool>) async throws -> [String] {
    var names: [String] = []
    for try await data in client.subscribe(to: FamilyChangedSubscription()) {
      guard case .itemChanged(let changed) = data.familyChanged else { throw CheckFailure("\(data)") }
      names.append(changed.item.name)
      isListening.store(true, ordering: .releasing)
      if names.last == "last" { break }
    }
    return names
  }
}
