import Foundation

/// The events of a subscription, across reconnections. The sequence ends when the server completes the subscription,
/// and throws if reconnecting would not help: `HearthError.failed` or `.signedOut`, `.notGraphQL` if the first response
/// is not an event stream, or `.unexpectedData` if variables cannot be encoded or an event does not match the generated
/// types. With the code `FEED_GAP` the missed events are no longer kept, with `RIGHTS_CHANGED` the member belongs to
/// another family now, and with `EVENTS_TOO_FAST` the server stated no position to resume from: subscribe and load
/// everything again. While the server cannot be reached, cannot renew the access token, or cannot deliver events at the
/// moment (such as `STORAGE_UNAVAILABLE`), it tries again for as long as it is iterated. After it has been connected,
/// it does so after a response that is not GraphQL too, such as a network's login page. If more than 4 MiB of events
/// wait for a slow loop, it connects again after the last of them. After `HearthClient.use(_:)` it begins again with
/// the new credentials, without a position: load everything again. After a sign-out, and after a sign-in by another
/// client, it throws `.signedOut`.
public struct SubscriptionEvents<Operation: GraphQLSubscription>: AsyncSequence, Sendable {
  public typealias Element = Operation.Data
  public typealias Failure = HearthError

  let client: HearthClient
  let operation: Operation
  let connectionDidChange: @Sendable (Bool) -> Void

  public func makeAsyncIterator() -> Iterator {
    Iterator(client: client, operation: operation, connectionDidChange: connectionDidChange)
  }

  /// Receives the events, and holds the connection.
  public struct Iterator: AsyncIteratorProtocol {
    let client: HearthClient
    let operation: Operation
    private var connection: Connection?
    private var reader = ServerSentEvents()
    private var events: [ServerSentEvents.Event] = []
    private var status = 0
    /// The session of the connection. The position is one of the member who was signed in.
    private var session = Session.Snapshot()
    private var isOver = false
    /// The position of the last received event, or the current position that the server sends before the first event.
    private var position: String?
    private var attempts = 0
    /// Consecutive renewals whose tokens were found expired, too.
    private var renewals = 0
    private var connected = ContinuousClock.now
    /// Whether the connection has lasted for more than 10 seconds: its token was valid, and its server was reachable.
    private var hasLasted: Bool { connected.duration(to: .now) > .seconds(10) }
    private let connectionDidChange: @Sendable (Bool) -> Void
    /// What `connectionDidChange` was told last.
    private var isConnected: Bool?
    /// Whether the subscription has been connected.
    private var hasBegun = false

    private struct Connection {
      let response: StreamedResponse
      var parts: AsyncThrowingStream<StreamedResponse.Part, any Error>.Iterator
    }

    init(client: HearthClient, operation: Operation, connectionDidChange: @escaping @Sendable (Bool) -> Void) {
      (self.client, self.operation, self.connectionDidChange) = (client, operation, connectionDidChange)
    }

    public mutating func next() async throws -> Operation.Data? { try await next(isolation: #isolation) }

    public mutating func next(isolation actor: isolated (any Actor)?) async throws(HearthError) -> Operation.Data? {
      while !isOver {
        if Task.isCancelled { return nil }
        if events.isEmpty {
          try await read()
        } else if await client.current.generation != session.generation {
          // Events of the previous member that have been received are not for the next one.
          await wait()
        } else if let data = try await take(events.removeFirst()) {
          return data
        }
      }
      return nil
    }

    /// Reads from the connection, or opens one.
    private nonisolated(nonsending) mutating func read() async throws(HearthError) {
      do {
        guard var connection else { return try await connect() }
        let part = try await connection.parts.next(isolation: #isolation)
        self.connection = connection
        switch part {
        case .head(let status, let contentType):
          self.status = status
          guard contentType.hasPrefix("text/event-stream") else {
            // If an earlier connection reached the server, what now answers is something else.
            guard hasBegun || HearthError.isTemporary(status) else {
              throw HearthError.notGraphQL(status: status, body: Data())
            }
            return await wait()
          }
        case .bytes(let bytes):
          connection.response.didRead(bytes.count)
          events += reader.receive(bytes)
        case nil: await wait()
        }
      } catch let error as HearthError {
        end()
        throw error
      } catch is StreamedResponse.SlowConsumer where position == nil {
        // The events until the subscription begins again would be missed silently.
        end()
        let message = "The events arrive faster than they are handled."
        throw .failed([GraphQLError(code: "EVENTS_TOO_FAST", message: message)])
      } catch {
        await wait()
      }
    }

    private nonisolated(nonsending) mutating func connect() async throws(HearthError) {
      let previous = session
      session = await client.current
      // Not without credentials: the server's error would be one for developers.
      if previous.credentials != nil, session.credentials == nil { throw .signedOut([]) }
      if previous.useCount != session.useCount {
        // Families count on their own: the next member would get older events as if they were new, or `FEED_GAP`.
        position = nil
        // A renewal is not an interruption, but the app has to load the data of the next member.
        if isConnected == true { report(isConnected: false) }
      }
      connected = .now
      let request = try client.request(
        operation,
        credentials: session.credentials,
        accept: "text/event-stream",
        position: position
      )
      reader = ServerSentEvents()
      let (response, parts) = StreamedResponse.open(request)
      connection = Connection(response: response, parts: parts.makeAsyncIterator())
      await client.add(response, of: session.generation)
    }

    /// Waits with exponential backoff and jitter, or for the delay that the server requested. The seconds of an error's
    /// `retryAfter` are added, 300 at most. A sign-in or sign-out ends the pause.
    private nonisolated(nonsending) mutating func wait(retryAfter seconds: Double = 0) async {
      (connection, events) = (nil, [])
      // In a family without events, too, a connection that has lasted was a good one.
      if isConnected == true, hasLasted { attempts = 0 }
      report(isConnected: false)
      let backoff = 250 << Swift.min(attempts, 7)
      attempts += 1
      let stated = Int(Swift.max(0, Swift.min(seconds, 300)) * 1000)
      let delay = reader.retry ?? Int.random(in: backoff / 2...backoff)
      let pause = Task { _ = try? await Task.sleep(for: .milliseconds(delay + stated)) }
      await client.add(pause, of: session.generation)
      await withTaskCancellationHandler {
        await pause.value
      } onCancel: {
        pause.cancel()
      }
    }

    private mutating func report(isConnected: Bool) {
      guard isConnected != self.isConnected else { return }
      self.isConnected = isConnected
      hasBegun = hasBegun || isConnected
      connectionDidChange(isConnected)
    }

    private nonisolated(nonsending) mutating func take(
      _ event: ServerSentEvents.Event
    ) async throws(HearthError) -> Operation.Data? {
      guard event.name == "next" else {
        if event.name == "complete" { isOver = true }
        // An empty position means that the subscription has begun on a server without positions.
        if event.id != nil { report(isConnected: true) }
        position = position ?? event.position
        return nil
      }
      do {
        let response = try GraphQLResponse<Operation.Data>.decode(event.data)
        // A connection that has lasted had a valid token: this is not a consecutive renewal.
        if response.hasExpired, hasLasted { (attempts, renewals) = (0, 0) }
        if response.data == nil, response.hasExpired, renewals < HearthClient.maximumRenewals,
          let expired = session.credentials, try await renew(expired)
        {
          return nil
        }
        let data = try response.get()
        report(isConnected: true)
        (attempts, renewals) = (0, 0)
        position = event.position ?? response.position ?? position
        return data
      } catch let error as HearthError {
        // Without a position, the events until the subscription begins again would be missed silently.
        let misses = position == nil && error.codes.contains("EVENTS_TOO_FAST")
        if error.isTemporary, !misses {
          // The position is still that of the last delivered event, so the server sends this one again.
          await wait(retryAfter: error.retryAfter)
          return nil
        }
        if error.endsSession, await client.endSession(of: session.generation) {
          (attempts, renewals) = (0, 0)
          await wait()
          return nil
        }
        end()
        throw error
      } catch {
        end()
        throw .unexpectedData("\(error)")
      }
    }

    /// Ends with an error.
    private mutating func end() {
      (isOver, connection) = (true, nil)
      if isConnected == true { report(isConnected: false) }
    }

    /// Renews expired credentials, or waits if that is not possible now. Returns false if the session has ended.
    private nonisolated(nonsending) mutating func renew(_ expired: Credentials) async throws(HearthError) -> Bool {
      do throws(HearthError) {
        guard try await client.renew(expired, for: Operation.self) != nil else { return false }
        renewals += 1
        (connection, events) = (nil, [])
      } catch {
        guard error.leavesSession else { throw error }
        await wait()
      }
      return true
    }
  }
}
