import CLibUV

/// The event loops of a process, each with its own thread.
package struct EventLoopGroup: Sendable {
  package let loops: [EventLoop]

  /// Starts `count` loops, by default one per available core.
  package init(count: Int = Int(uv_available_parallelism())) throws(SystemError) {
    var loops: [EventLoop] = []
    do {
      for index in 0..<max(count, 1) { loops.append(try EventLoop(name: "loop-\(index)")) }
    } catch {
      for loop in loops { loop.stop() }
      for loop in loops { loop.join() }
      throw error
    }
    self.loops = loops
  }

  /// Loops of another group, which their owner stops.
  package init(_ loops: [EventLoop]) {
    precondition(!loops.isEmpty)
    self.loops = loops
  }

  /// Stops all loops and waits until they have ended. Must not be called on a loop's thread.
  package func stop() {
    for loop in loops { loop.stop() }
    for loop in loops { loop.join() }
  }
}
