/// The responses to an operation, as JSON: see
/// ``GraphQLExecutor/responses(to:operationName:variables:files:context:)``.
public struct GraphQLResponses<Context: Sendable>: AsyncSequence, Sendable {
  private let request: ExecutorRequest<Context>
  private let executor: GraphQLExecutor<Context>

  init(_ request: ExecutorRequest<Context>, from executor: GraphQLExecutor<Context>) {
    self.request = request
    self.executor = executor
  }

  /// Starts the operation with the first call of `next()`.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(request, from: executor) }

  /// An execution of the operation. A subscription ends when the iterator is released, or its task is cancelled.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private enum State {
      case new
      case subscribed(EventReader, requestError: EventSources.ErrorMaker)
      case ended
    }

    private let request: ExecutorRequest<Context>
    private let executor: GraphQLExecutor<Context>
    private var state = State.new

    init(_ request: ExecutorRequest<Context>, from executor: GraphQLExecutor<Context>) {
      self.request = request
      self.executor = executor
    }

    /// Returns the next response; `nil` after the last one.
    public mutating func next() async -> String? {
      if case .new = state {
        switch await executor.begin(request) {
        case .response(let response):
          state = .ended
          return response
        case .events(let events):
          do {
            state = .subscribed(try await events.sequence(), requestError: events.requestError)
          } catch {
            return end(with: error, events.requestError)
          }
        }
      }
      guard case .subscribed(let nextEvent, let requestError) = state else { return nil }
      do {
        guard let event = try await nextEvent() else {
          state = .ended
          return nil
        }
        let response = await executor.respond(to: event, of: request)
        if response.isLast { state = .ended }
        return response.json
      } catch {
        return end(with: error, requestError)
      }
    }

    private mutating func end(with error: any Error, _ requestError: EventSources.ErrorMaker) -> String? {
      state = .ended
      return Task.isCancelled ? nil : executor.response(to: requestError(error))
    }
  }
}

/// What a caller of `GraphQLExecutor` has given.
struct ExecutorRequest<Context: Sendable>: Sendable {
  let document: [UInt8]
  let operationName: String?
  let variables: [UInt8]
  /// In the order of their paths. `InputValue.upload` refers to them by index.
  let files: [(path: String, file: Upload)]
  var context: Context

  init(
    _ document: String,
    operationName: String?,
    variables: String,
    files: [String: Upload],
    context: Context
  ) {
    self.init(
      Array(document.utf8),
      operationName: operationName,
      variables: Array(variables.utf8),
      files: files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) },
      context: context
    )
  }

  init(
    _ document: [UInt8],
    operationName: String?,
    variables: [UInt8],
    files: [(path: String, file: Upload)] = [],
    context: Context
  ) {
    self.document = document
    self.operationName = operationName
    self.variables = variables
    self.files = files
    self.context = context
  }
}

/// How an operation has started.
enum ExecutorStart: Sendable {
  /// The only response.
  case response(String)
  case events(EventSources.Events)
}
