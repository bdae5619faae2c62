import FamilyOperations
import Foundation
import HearthClient

enum OnceCheck {
  /// A mutation whose response is lost is not sent again to a server that ignores idempotency keys.
  static func run(_ endpoint: URL) async throws {
    let client = HearthClient(endpoint: endpoint, retriesMutations: false)
    do {
      _ = try await client.perform(AddItemMutation(input: .init(name: "Lost")))
      throw CheckFailure("there was a response")
    } catch let error as HearthError {
      guard case .unreachable = error else { throw error }
    }
  }
}
