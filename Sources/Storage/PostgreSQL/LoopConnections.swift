import Basics
import PostgreSQL

/// The connections with which the requests of an event loop read. Confined to the loop. A request has a connection from
/// its first statement to the end of its snapshot; requests wait in turn while none is free.
final class LoopConnections {
  /// A request that waits for a connection.
  private final class Waiter {
    let continuation: CheckedContinuation<Void, Never>
    /// Nil if a connection was lost: the request opens another one.
    var connection: LoopConnection?

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }
  }

  private static let maximumWaiting = 1_024

  private let connector: Connector
  private let loop: any DescriptorWatcher
  private let limit: Int
  private var idle: [LoopConnection] = []
  /// The number of connections that are open or being opened.
  private var count = 0
  private var waiting: [Waiter] = []
  private var isClosed = false

  init(_ connector: Connector, on loop: any DescriptorWatcher, limit: Int) {
    self.connector = connector
    self.loop = loop
    self.limit = limit
  }

  func take() async throws(PostgreSQLError) -> LoopConnection {
    while true {
      guard !isClosed else { throw PostgreSQLError(.closed, "The database is closed.") }
      if let connection = idle.popLast() {
        if connection.failure == nil { return connection }
        // The server has closed it.
        count -= 1
        continue
      }
      if count < limit { return try await open() }
      guard waiting.count < Self.maximumWaiting else {
        throw PostgreSQLError(.overloaded, "\(Self.maximumWaiting) requests wait for a connection already.")
      }
      var own: Waiter?
      await withCheckedContinuation { continuation in
        let waiter = Waiter(continuation)
        own = waiter
        waiting.append(waiter)
      }
      if let connection = own?.connection, connection.failure == nil { return connection }
      if own?.connection != nil { count -= 1 }
    }
  }

  private func open() async throws(PostgreSQLError) -> LoopConnection {
    count += 1
    do {
      let connection = try LoopConnection(try await openElsewhere().pipeline, on: loop)
      guard !isClosed else {
        connection.close()
        throw PostgreSQLError(.closed, "The database is closed.")
      }
      return connection
    } catch {
      count -= 1
      resumeNext(with: nil)
      throw error as? PostgreSQLError ?? PostgreSQLError(.connecting, "\(error)")
    }
  }

  /// `@unchecked Sendable`: the thread that opens a connection does not use it afterwards.
  private struct Opened: @unchecked Sendable {
    let pipeline: PipelineConnection
  }

  /// Opens a connection on a thread of its own, because looking up names and TLS block.
  private func openElsewhere() async throws -> Opened {
    let connector = connector
    return try await withCheckedThrowingContinuation { caller in
      do {
        try SystemThread(name: "connector") {
          caller.resume(with: Result { Opened(pipeline: try connector.connect()) })
        }.detach()
      } catch {
        caller.resume(throwing: error)
      }
    }
  }

  func giveBack(_ connection: LoopConnection) {
    if connection.failure != nil || isClosed {
      connection.close()
      count -= 1
      resumeNext(with: nil)
    } else if !resumeNext(with: connection) {
      idle.append(connection)
    }
  }

  @discardableResult
  private func resumeNext(with connection: LoopConnection?) -> Bool {
    guard !waiting.isEmpty else { return false }
    let next = waiting.removeFirst()
    next.connection = connection
    next.continuation.resume()
    return true
  }

  /// Closes the connections that no request uses.
  func closeIdle() {
    for connection in idle { connection.close() }
    count -= idle.count
    idle = []
  }

  /// Closes the idle connections, and the others when their requests release them.
  func close() {
    isClosed = true
    closeIdle()
    while resumeNext(with: nil) {}
  }
}
