import Synchronization

/// The viewers of the sessions that this process has begun or read, for databases that do not answer at once: a loop
/// that sees a token for the first time need not read its session before the request's other reads. What is remembered
/// can be out of date, so `RequestContext.uncheckedViewer` is compared with the session.
final class SessionViewers: Sendable {
  private static let maximumCount = 100_000

  private let viewers = Mutex<[GlobalID: Viewer]>([:])

  subscript(session: GlobalID) -> Viewer? { viewers.withLock { $0[session] } }

  func remember(_ viewer: Viewer) {
    viewers.withLock { viewers in
      if viewers.count >= Self.maximumCount { viewers.removeAll(keepingCapacity: true) }
      viewers[viewer.session] = viewer
    }
  }

  func forget(_ sessions: [GlobalID]) {
    viewers.withLock { viewers in
      for session in sessions { viewers[session] = nil }
    }
  }
}
