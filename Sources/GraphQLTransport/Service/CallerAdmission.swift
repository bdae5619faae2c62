import GraphQL
import HTTP
import HTTPServer

/// The part of a service that decides what a caller may do now, and who is charged for it. The application implements
/// it. The defaults admit everything and charge no payer; the rules of introspection have no default.
///
/// All of it is called on the loop, so no method may block. Each call of a method whose name begins with `admit` counts
/// against the caller's rate limit.
package protocol CallerAdmission: CallerIdentification {
  /// The network that is charged for the bytes of a request; nil if none is. `request` may lack its body, and is nil
  /// until its head has arrived.
  func network(of request: HTTPRequest?, peer: String?) -> Payer?

  /// The caller that is charged for the time that a request takes on the loop; nil if none is. See `LoopThrottle`.
  func payer(of context: Context) -> Payer?

  /// Identifies the caller that is charged for the memory of a subscription's operation. Those for whom it is nil are
  /// charged together. By default, the `payer`.
  func subscriptionPayer(of context: Context, over connection: ObjectIdentifier) -> Int?

  /// Admits one more WebSocket or event stream from the address. Called once per connection.
  ///
  /// - Returns: an error if it cannot be opened now.
  func admitConnection(from address: String?) -> GraphQLError?

  /// Admits one more new document with introspection of the caller.
  ///
  /// - Returns: an error if it is not prepared now.
  func admitIntrospection(by context: Context) -> GraphQLError?

  /// Whether introspection is allowed for all callers.
  var isIntrospectionPublic: Bool { get }

  /// Whether introspection is allowed for the caller.
  func allowsIntrospection(_ context: Context) -> Bool

  /// Whether mutations are rejected at the moment.
  var isReadOnly: Bool { get }
}

extension CallerAdmission {
  package func network(of request: HTTPRequest?, peer: String?) -> Payer? { nil }
  package func payer(of context: Context) -> Payer? { nil }
  package func subscriptionPayer(of context: Context, over connection: ObjectIdentifier) -> Int? {
    payer(of: context)?.hashValue
  }
  package func admitConnection(from address: String?) -> GraphQLError? { nil }
  package func admitIntrospection(by context: Context) -> GraphQLError? { nil }
  package var isReadOnly: Bool { false }
}
