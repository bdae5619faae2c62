import Foundation
import HearthClient

enum NewsCheck {
  static func run(_ endpoint: URL, token: String) async throws {
    try await everyEventOnce(
      HearthClient(endpoint: endpoint, credentials: Credentials(accessToken: token, refreshToken: ""))
    )
    try await refused(endpoint)
  }

  /// The connection of this check breaks after every few events, within one: no event is lost or repeated.
  private static func everyEventOnce(_ client: HearthClient) async throws {
    async let heard = numbers(client)
    for number in 1...20 { _ = try await client.perform(SayMutation(text: "News \(number)")) }
    _ = try await client.perform(SayMutation(text: "last"))
    let numbers = try await heard
    try expect(numbers == Array(1...21), numbers)
  }

  private static func numbers(_ client: HearthClient) async throws -> [Int] {
    var numbers: [Int] = []
    // A new subscription also receives the events before it.
    for try await data in client.subscribe(to: KeptSubscription()) {
      numbers.append(data.kept.number)
      if data.kept.text == "last" { break }
    }
    return numbers
  }

  /// What would be refused again is not tried again.
  private static func refused(_ endpoint: URL) async throws {
    let client = HearthClient(endpoint: endpoint)
    do {
      for try await data in client.subscribe(to: MineSubscription()) { throw CheckFailure("\(data)") }
      throw CheckFailure("It ended as if it were complete.")
    } catch let error as HearthError {
      guard case .signedOut = error else { throw error }
    }
  }
}
