import Basics
import Glibc
import Synchronization

/// A proxy before the real server that cuts connections at the COMMIT of a write, a number of times.
package final class CuttingProxy: Sendable {
  package enum Cut: CaseIterable, Sendable {
    /// The server does not receive the COMMIT.
    case beforeCommit
    /// The server commits, and the client does not receive the answer.
    case afterCommit
  }

  private struct State {
    var cuts: [Cut]
    var isClosed = false
    var connections = 0
  }

  private final class Shared: Sendable {
    let state: Mutex<State>

    init(_ cuts: [Cut]) { state = Mutex(State(cuts: cuts)) }
  }

  private final class Connection: Sendable {
    let isCommitting = Atomic(false)
    /// Whether it is a connection for writes, which store tokens.
    let isWriting = Atomic(false)
  }

  private let server: FakeServer
  private let shared: Shared

  /// - Parameter closesAfterCuts: whether no further connection is accepted once the connections have been cut.
  package init(to socket: String, _ cuts: [Cut], closesAfterCuts: Bool = false) throws {
    let shared = Shared(cuts)
    self.shared = shared
    server = try FakeServer { client in
      let isOpen = shared.state.withLock { state in
        state.connections += 1
        return !state.isClosed
      }
      guard isOpen, let server = FakeClient(connectingTo: socket) else { return }
      let connection = Connection()
      let answers = try? SystemThread(name: "answers") {
        while true {
          let bytes = server.receive()
          // The client sees the end of the connection only once the server has committed.
          let isCommitted = connection.isCommitting.load(ordering: .acquiring) && Self.hasCommit(bytes)
          guard !bytes.isEmpty, !isCommitted, client.send(bytes) else { break }
        }
        client.cut()
      }
      while true {
        let bytes = client.receive()
        guard !bytes.isEmpty else { break }
        if Self.has("commit_token", bytes) { connection.isWriting.store(true, ordering: .relaxed) }
        let isCut =
          connection.isWriting.load(ordering: .relaxed) && Self.hasCommit(bytes)
          && !connection.isCommitting.load(ordering: .acquiring)
        let cut = isCut ? shared.state.withLock { $0.cuts.popLast() } : nil
        if let cut {
          shared.state.withLock { if closesAfterCuts, $0.cuts.isEmpty { $0.isClosed = true } }
          guard cut == .afterCommit else {
            client.cut()
            break
          }
          // The text can precede the execution: a statement is prepared first.
          connection.isCommitting.store(true, ordering: .releasing)
        }
        guard server.send(bytes) else { break }
      }
      Glibc.shutdown(server.descriptor, Int32(SHUT_WR))
      answers?.join()
      server.close()
    }
  }

  /// Cuts the connection of the next write.
  package func cutNext(_ cut: Cut) { shared.state.withLock { $0.cuts.append(cut) } }

  package var port: Int { server.port }
  package var connections: Int { shared.state.withLock { $0.connections } }
  package var isDone: Bool { shared.state.withLock { $0.cuts.isEmpty } }

  private static func hasCommit(_ bytes: [UInt8]) -> Bool { has("COMMIT", bytes) }

  private static func has(_ word: String, _ bytes: [UInt8]) -> Bool {
    let word = Array(word.utf8)
    return bytes.indices.contains { bytes[$0...].starts(with: word) }
  }
}
