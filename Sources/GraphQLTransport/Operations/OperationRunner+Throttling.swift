import Basics
import GraphQL

/// The turns of callers whose requests take long (`LoopThrottle`), and the time that they are charged.
extension OperationRunner {
  /// Prepares a request if it is the caller's turn. Otherwise `finish` does: its task runs after the loop has served
  /// the connections that are ready. A turn is not reserved before `finish`, which is not called for a request whose
  /// client has gone.
  func takeTurn(
    _ request: GraphQLRequest,
    known: PreparedOperation?,
    from origin: RequestOrigin,
    in context: Context,
    since start: UInt64
  ) -> Progress {
    if let trace = origin.trace { context.trace = trace }
    if !throttle.isIdle, let payer = service.payer(of: context),
      throttle.delays(payer, at: MonotonicClock.nanoseconds)
    {
      return .waits(.turn(request, known: known, context, payer))
    }
    return prepareCharged(request, known: known, from: origin, in: context, since: start)
  }

  func prepareCharged(
    _ request: GraphQLRequest,
    known: PreparedOperation?,
    from origin: RequestOrigin,
    in context: Context,
    since start: UInt64
  ) -> Progress {
    let work = stopwatch.start(at: start)
    let progress = prepare(request, known: known, from: origin, in: context)
    charge(since: work, to: context)
    return progress
  }

  /// Charges the time since `start` to the caller.
  func charge(since start: LoopStopwatch.Start, to context: Context) {
    measuredAt = MonotonicClock.nanoseconds
    guard let shortTime = throttle.shortTime, let time = stopwatch.stop(start, over: shortTime, at: measuredAt),
      let payer = service.payer(of: context)
    else { return }
    throttle.charge(time, to: payer, at: measuredAt)
  }

  /// Charges the time that writing a response or a part of one will take.
  func charge(bytes: Int, to context: Context) {
    guard bytes > throttle.freeBytes, let payer = service.payer(of: context) else { return }
    throttle.charge(bytes: bytes, to: payer, at: MonotonicClock.nanoseconds)
  }

  /// Charges the time of an execution between the answers of its statements, during which nothing suspends.
  /// - Parameter time: In nanoseconds.
  func charge(_ time: UInt64, to context: Context) {
    guard let shortTime = throttle.shortTime, time > shortTime, let payer = service.payer(of: context) else { return }
    throttle.charge(time, to: payer, at: MonotonicClock.nanoseconds)
  }
}
