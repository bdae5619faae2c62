/// Blocks callers until a test opens it.
package final class Gate: Sendable {
  private let isOpen = Watched(false)

  package init() {}

  package func pass() async { await isOpen.wait { $0 } }

  package func open() { isOpen.set(true) }
}
