/// Counts events from any thread, and lets a test wait until there have been enough.
package final class Counter: Sendable {
  private let watched = Watched(0)

  package init() {}

  package var count: Int { watched.value }

  package func increment() { watched.update { $0 += 1 } }

  package func wait(for count: Int) async { await watched.wait { $0 >= count } }
}
