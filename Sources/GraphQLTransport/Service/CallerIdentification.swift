import GraphQL
import HTTP

/// The part of a service that identifies callers: whose the requests are, and in which contexts they are executed. The
/// application implements it.
///
/// Each context that is returned ends with exactly one `finish(_:)`, on the loop, so an implementation may lend a
/// context what is returned there, such as a connection to a database.
package protocol CallerIdentification: AnyObject {
  associatedtype Context: ExecutionContext

  /// Whether `Caller.request` is kept for the life of a connection, which costs the memory of the request.
  static var keepsRequest: Bool { get }

  /// The client's address, as far as it is trustworthy.
  func address(of request: HTTPRequest) -> String?

  /// The context of the caller if it is known without waiting; otherwise nil.
  func knownContext(for caller: Caller) throws -> Context?

  /// Identifies the caller. Called once per request, before execution. Thrown `GraphQLErrors` become the response, as
  /// do the errors of `CallerRejection` and `ServiceUnavailable`.
  /// `InputValue.upload` refers to `files` by index.
  func context(for caller: Caller, _ files: [UploadedFile]) async throws -> Context

  /// The identity of the caller, for connections that outlive the request.
  func identity(of context: Context) -> ConnectionIdentity

  /// Called after the response: releases the resources of the context.
  func finish(_ context: Context)
}

extension CallerIdentification {
  package static var keepsRequest: Bool { false }

  func context(for caller: Caller) async throws -> Context { try await context(for: caller, []) }
}
