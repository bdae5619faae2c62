import CLibUV

/// Loops that share the work of one process, a thread each.
package struct EventLoopGroup: Sendable {
  package let loops: [EventLoop]

  /// Starts `count` loops, by default one for each core that the process may use.
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

  /// Stops all loops and waits until they have ended. Not to be called on a loop's thread.
  package func stop() {
    for loop in loops { loop.stop() }
    for loop in loops { loop.join() }
  }
}
