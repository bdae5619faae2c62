import Basics
import GraphQL

/// The context of a request in the engine. It contains the application's value.
package final class ResolverContext<Value: Sendable>: ExecutionContext {
  package let value: Value
  /// The files of the request. `InputValue.upload` refers to them by index.
  package let files: [Upload]
  /// The event sequences of subscriptions.
  package let sources: EventSources
  package let onError: ErrorHandler
  /// What the application does with errors in place of `onError`; nil if nothing.
  private let errorHooks: ErrorHooks<Value>?
  let mutations: MutationTasks
  package var trace: RequestTrace?
  /// Called when the first field fails with an error that clients do not see.
  private var onFailure: (@Sendable () -> Void)?

  package init(
    _ value: Value,
    files: [Upload] = [],
    sources: EventSources,
    mutations: MutationTasks? = nil,
    onError: @escaping ErrorHandler,
    errorHooks: ErrorHooks<Value>? = nil,
    onFailure: (@Sendable () -> Void)? = nil
  ) {
    self.value = value
    self.files = files
    self.sources = sources
    self.onError = onError
    self.errorHooks = errorHooks
    self.mutations = mutations ?? .withoutLoop
    self.onFailure = onFailure
  }

  /// The context that the engine has passed to a resolver.
  static func of(_ context: any ExecutionContext) throws(UnsuitableValue) -> ResolverContext {
    if let context = context as? ResolverContext { return context }
    throw UnsuitableValue(description: "The context of the request is not a ResolverContext<\(Value.self)>")
  }

  package func objectType(of key: Int64) -> TypeID? { nil }
  package func willSuspend() {}
  package func report(_ error: any Error, at field: String) {
    // The client has ended its connection.
    if error is CancellationError, Task.isCancelled { return }
    if let errorHooks { errorHooks.report(error, at: field, in: value, onError) } else { onError(error, field) }
    onFailure?()
    onFailure = nil
  }
  package func fieldError(for error: any Error) -> FieldError? {
    GraphQLError(showing: error, in: value, errorHooks)?.fieldError
  }

  /// Makes the request errors with which a subscription to a field ends whose sequence throws. It retains the value and
  /// not this context, whose files and trace are those of one request.
  func sequenceErrors(at field: String) -> EventSources.ErrorMaker {
    { [value, errorHooks, onError, onFailure] error in
      if let known = GraphQLError(showing: error, in: value, errorHooks) { return known.requestError }
      if let errorHooks { errorHooks.report(error, at: field, in: value, onError) } else { onError(error, field) }
      onFailure?()
      return .internalError
    }
  }
}

/// Called with an error that clients do not see, and with the coordinate of the field or type where it occurred, such
/// as `Book.author`, or `context` for an error of making the context.
public typealias ErrorHandler = @Sendable (_ error: any Error, _ field: String) -> Void
