import Foundation
import HearthClient

enum NewsCheck {
  static func run(_ endpoint: URL, token: String) async throws {
    try await everyEventOnce(
      HearthClient(endpoint: endpoint, credentials: Credentials(accessToken: token, refreshToken: ""))
    )
    try await refused(endpoint)
  }

  /// The connection of this check breaks after every few events, amid one: none is missed and none comes twice.
  private static func everyEventOnce(_ client: HearthClient) async throws {
    let isLive = AsyncStream.makeStream(of: Void.self)
    let numbers = Task {
      var numbers: [Int] = []
      for try await data in client.subscribe(to: KeptSubscription()) {
        if numbers.isEmpty { isLive.continuation.finish() }
        numbers.append(data.kept.number)
        if data.kept.text == "last" { break }
      }
      return numbers
    }
    // A client does not know when it is subscribed: something is said until it is heard.
    let speaker = Task {
      while !Task.isCancelled {
        _ = try await client.perform(SayMutation(text: "Is anybody there?"))
        try await Task.sleep(for: .milliseconds(50))
      }
    }
    for await _ in isLive.stream {}
    speaker.cancel()
    _ = await speaker.result
    for number in 1...20 { _ = try await client.perform(SayMutation(text: "News \(number)")) }
    _ = try await client.perform(SayMutation(text: "last"))
    let heard = try await numbers.value
    let first = try expectSome(heard.first)
    try expect(heard.count > 20 && heard == Array(first..<(first + heard.count)), heard)
  }

  /// What would be refused again is not tried again.
  private static func refused(_ endpoint: URL) async throws {
    let client = HearthClient(endpoint: endpoint, credentials: Credentials(accessToken: "expired", refreshToken: ""))
    do {
      for try await data in client.subscribe(to: KeptSubscription()) { throw CheckFailure("\(data)") }
      throw CheckFailure("It ended as if it were complete.")
    } catch let error as HearthError {
      guard case .signedOut = error else { throw error }
    }
  }
}
