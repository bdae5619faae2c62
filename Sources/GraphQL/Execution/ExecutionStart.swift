import Bytes

/// The result of executing an operation as far as possible without suspending.
package enum ExecutionStart: ~Copyable {
  /// The complete response as JSON.
  case response(ByteBuffer)
  /// A resolver is asynchronous, or the execution exceeds its time on the event loop: call `Executor.finish`. If that
  /// is not called immediately, call `ExecutionContext.willSuspend` first, so that other requests read in snapshots of
  /// their own.
  case waiting(Execution)
}
