import Foundation
import GraphQLTransport
import JSON

/// The outcome of an operation that a form has executed.
struct PageMutation {
  /// An error of the input: the last segment of its path, and its code.
  struct Fault {
    let field: String
    let code: UserError.Code?
  }

  /// Nil if the operation was not executed.
  private let payload: JSONValue?
  let faults: [Fault]
  /// The code of the error because of which the operation was not executed.
  let requestError: String?

  /// Executes an operation with text variables, in the name of the client that has sent the form.
  static func run(
    _ document: PageDocument,
    variables: [String: any Sendable] = [:],
    accessToken: String? = nil,
    execute: PageExecution
  ) async -> PageMutation {
    let request: [String: Any] = ["documentId": document.id, "variables": variables]
    guard let body = try? JSONSerialization.data(withJSONObject: request) else { return PageMutation(response: []) }
    return PageMutation(response: await execute(Array(body), accessToken))
  }

  private init(response: [UInt8]) {
    let root = try? JSONDocument(response).root
    let payload = root?["data"]?.members?.first { _ in true }?.value
    self.payload = payload
    let error = root?["errors"]?.elements?.first { _ in true }
    requestError =
      error?["extensions"]?["code"]?.string ?? (payload == nil || payload?.isNull == true ? "INTERNAL_ERROR" : nil)
    faults =
      payload?["userErrors"]?.elements?.map { error in
        var field = ""
        if let path = error["field"]?.elements { for segment in path { field = segment.string ?? "" } }
        return Fault(field: field, code: error["code"]?.string.flatMap(UserError.Code.init))
      } ?? []
  }

  var isDone: Bool { requestError == nil && faults.isEmpty }
  var accessToken: String? { payload?["credentials"]?["accessToken"]?.string }
  /// The name of the family that was joined; nil if the acceptance awaits confirmation.
  var familyName: String? { payload?["family"]?["name"]?.string }
}
