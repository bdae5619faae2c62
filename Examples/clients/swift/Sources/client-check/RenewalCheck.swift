import FamilyOperations
import Foundation
import HearthClient

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
}
