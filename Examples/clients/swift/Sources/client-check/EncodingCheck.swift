import Foundation
import HearthClient

enum EncodingCheck {
  /// A subscription whose variables cannot be encoded ends with an error, and is not tried again.
  static func run(_ endpoint: URL) async throws {
    do {
      for try await data in HearthClient(endpoint: endpoint).subscribe(to: EndlessSubscription()) {
        throw CheckFailure("\(data)")
      }
      throw CheckFailure("It ended as if it were complete.")
    } catch let error as HearthError {
      guard case .unexpectedData = error else { throw error }
    }
  }
}

/// Has a variable that JSON has no number for.
private nonisolated struct EndlessSubscription: GraphQLSubscription {
  static let operationName = "Endless"
  static let document = "subscription Endless($number: Float!) { endless(number: $number) }"
  var variables: [GraphQLInputField] { [GraphQLInputField("number", Double.infinity)] }

  nonisolated struct Data: Decodable, Sendable {}
}
