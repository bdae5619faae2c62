import Basics

/// The state of a request that the engine passes to resolvers.
package protocol ExecutionContext: AnyObject {
  /// The object type of the object with this key.
  func objectType(of key: Int64) -> TypeID?
  /// Called before the execution suspends. An implementation that holds a snapshot open must release it here.
  func willSuspend()
  /// Logs an internal error. The response says only that an internal error occurred.
  func report(_ error: any Error, at field: String)
  /// Records the levels of executions; nil if the request is not traced.
  var trace: RequestTrace? { get set }
  /// The text that represents an event's position to clients. A client sends it back to resume after that event.
  func text(ofPosition position: Int64) -> String

  /// The field error that the client receives for an error thrown by a resolver, or nil if the client must not see the
  /// error.
  func fieldError(for error: any Error) -> FieldError?

  /// Whether the execution has used up its time on the event loop. The current call is then repeated off the loop, so
  /// any error that it threw is ignored.
  var isOverdue: Bool { get set }
  /// Reads the clock and returns the updated `isOverdue`. Called once for many objects.
  func checkTime() -> Bool
  /// Whether reads must stay on the event loop regardless of their duration. True during asynchronous calls and while
  /// the source of a subscription is created, but not during the levels of an execution.
  var staysOnLoop: Bool { get set }
  /// When the current turn of the event loop began, in milliseconds; nil if the execution is not on a loop.
  var turn: UInt64? { get }
  /// Whether the current turn has taken so long that others of the loop should be served first.
  var hasLongTurn: Bool { get }
  /// Whether the execution starts off the event loop, because previous executions of the same caller took long.
  var startsOffLoop: Bool { get }
  /// Whether the execution runs on a worker thread, without a time limit.
  var isOffLoop: Bool { get }
  /// Runs `work` on a worker thread with a snapshot of its own, and returns when it is done. Throws if the queue of
  /// that thread is full. The caller must not access the state used by `work` meanwhile.
  func runOffLoop(_ work: @escaping @Sendable () -> Void) async throws(FieldError)

  // Passes: how resolvers read data that is not there at once. A resolver remains a synchronous closure. In its first
  // pass, what it reads is missing; the context has it fetched, and the resolver is called again.

  /// Whether resolvers find all data at once. Otherwise they are called in passes.
  var answersAtOnce: Bool { get }
  /// Begins a pass, which is the call of one resolver.
  func beginPass()
  /// Ends the pass. Returns whether data was missing: the result of the resolver is then meaningless, and it must be
  /// called again after `answers()`. What the pass changed in the context is undone.
  func endPass() -> Bool
  /// Calls `body`, which calls a resolver before its time. The data that it asks for is fetched with what is missing,
  /// and is kept until the second `forgetAnswers()`. What it changes in the context is undone.
  func askAhead(_ body: () -> Void)
  /// Returns when the data that was missing in the passes since the last call is there.
  ///
  /// Throws if the caller turns out to be another one than resolvers have assumed, because the session has ended or has
  /// other rights now. What resolvers have returned so far is then invalid. Resolvers that are called from now on find
  /// the caller as it is.
  ///
  /// - Parameter canBeginAgain: Whether the caller of this method makes all calls again if it throws. Then it may also
  ///   throw because the snapshot was lost.
  func answers(canBeginAgain: Bool) async throws(FieldError)
  /// Called when no resolver will be called again that has been called so far.
  func forgetAnswers()
  /// Called when a request has waited and its snapshot was released, before it reads on. Resolvers that are called from
  /// now on find the caller as it is: its session may have ended, or may have other rights.
  func checkCaller()
  /// The error with which reading the caller's session failed. Resolvers then treat the request as one without a
  /// caller, so the response to an event is not sent.
  var unreadCaller: FieldError? { get }
  /// The error of the database, for the moment, because of which the response lacks data. The response to an event is
  /// then not sent: it has the event's position, after which the client would not receive the event again.
  var unreadData: FieldError? { get }
}

extension ExecutionContext {
  /// The largest number of passes of one call, and of a level of an execution. Each pass fetches what it could not know
  /// in the one before, so most need two.
  package var maximumPasses: Int { 32 }

  /// Calls `body` in passes. Without suspension if all data is there at once.
  ///
  /// - Parameter canBeginAgain: See `answers(canBeginAgain:)`.
  package func inPasses<Result>(canBeginAgain: Bool = false, _ body: () throws -> Result) async throws -> Result {
    if answersAtOnce { return try body() }
    for _ in 0..<maximumPasses {
      beginPass()
      let result = Swift.Result { try body() }
      guard endPass() else { return try result.get() }
      try await answers(canBeginAgain: canBeginAgain)
    }
    throw ResultError.tooManyPasses
  }

  package func text(ofPosition position: Int64) -> String { String(position) }

  /// The field error that the client receives for an error. One that is not meant for the client is logged.
  package func clientError(for error: any Error, at field: String) -> FieldError {
    if let error = error as? FieldError ?? fieldError(for: error) { return error }
    report(error, at: field)
    // The message of a result error does not contain the value that was found.
    return (error as? ResultError).map { FieldError($0.message, code: .internalError) } ?? .internalError
  }
}

/// Defaults for contexts without a time limit that find all data at once.
extension ExecutionContext {
  package func fieldError(for error: any Error) -> FieldError? { nil }
  package var trace: RequestTrace? {
    get { nil }
    set {}
  }
  package var isOverdue: Bool {
    get { false }
    set {}
  }
  package func checkTime() -> Bool { false }
  package var staysOnLoop: Bool {
    get { false }
    set {}
  }
  package var startsOffLoop: Bool { false }
  package var isOffLoop: Bool { false }
  package func runOffLoop(_ work: @escaping @Sendable () -> Void) async throws(FieldError) { work() }
  package var answersAtOnce: Bool { true }
  package func beginPass() {}
  package func endPass() -> Bool { false }
  package func askAhead(_: () -> Void) {}
  package func answers(canBeginAgain _: Bool) async throws(FieldError) {}
  package func forgetAnswers() {}
  package func checkCaller() {}
  package var turn: UInt64? { nil }
  package var hasLongTurn: Bool { false }
  package var unreadCaller: FieldError? { nil }
  package var unreadData: FieldError? { nil }
}

extension ResultError {
  static let tooManyPasses = ResultError("A resolver asks for other data each time it is called.")
}
