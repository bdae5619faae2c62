import Bytes

/// How far an execution came without waiting.
package enum ExecutionStart: ~Copyable {
  /// The whole response as JSON.
  case response(ByteBuffer)
  /// A field waits, or the execution takes longer than a loop allows: `Executor.finish` has to be awaited. Where it is
  /// not awaited at once, `ExecutionContext.willSuspend` is to be called: others read in a snapshot of their own.
  case waiting(Execution)
}
