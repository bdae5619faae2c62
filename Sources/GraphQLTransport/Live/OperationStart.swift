import Bytes
import GraphQL

/// What became of an operation that a live connection has asked for.
enum OperationStart: ~Copyable {
  /// A query or mutation, executed.
  case response(ByteBuffer)
  /// It could not be executed.
  case refusal([GraphQLError])
  /// It is to be started when there is a place for its responses.
  case subscription(Subscription)
}
