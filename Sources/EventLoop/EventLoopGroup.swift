import Basics
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

  /// Stops all loops and returns when they have ended. Can be called on a loop's thread too: a thread of its own waits
  /// for the loops, so that none of the caller's executor is blocked.
  package func stopWithoutBlocking() async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      do throws(SystemThread.StartError) {
        try SystemThread.startDetached(name: "loops-end") {
          stop()
          continuation.resume()
        }
      } catch {
        // Without a thread for it, nothing can wait for the loops. They end by themselves.
        for loop in loops { loop.stop() }
        continuation.resume()
      }
    }
  }
}
