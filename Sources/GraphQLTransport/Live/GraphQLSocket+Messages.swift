import Basics
import Bytes
import EventLoop
import HTTPServer
import WebSocket

/// Receives the messages of the socket in their order: later ones wait while an earlier one is being processed.
extension GraphQLSocket {
  func webSocketDidReceive(text: [UInt8]) {
    guard let workers = handler.options.workers, text.count > LargeRequest.bytes else {
      return act(on: ClientMessage.read(text))
    }
    receive(large: text, workers)
  }

  /// Parses a large message on a worker thread, as large bodies of HTTP. Later messages wait.
  private func receive(large text: [UInt8], _ workers: WorkerPool) {
    guard let connection else { return }
    var reservation: ByteReservation?
    connection.assumeOnLoop { reservation = $0.reserve(text.count) }
    guard let reservation else { return }
    hold.isParsing = true
    connection.assumeOnLoop { $0.holdMessages() }
    Task(executorPreference: loop) { [self, lane] in
      let message = try? await workers.run(in: lane) { ClientMessage.read(text) }
      withExtendedLifetime(reservation) {}
      await didRead(message)
    }
  }

  /// `message` is nil if the queue of workers was full.
  private func didRead(_ message: Result<ClientMessage, BadRequestError>?) {
    hold.isParsing = false
    guard connection != nil else { return }
    if let message {
      act(on: message)
    } else {
      close(CloseReason(.tryAgainLater, text: "OVERLOADED: The server has too many large requests."))
    }
    // The message can be a ping whose pong waits.
    releaseMessages()
  }

  /// Delivers the next messages, unless there is another reason why they wait.
  private func releaseMessages() {
    guard !hold.isParsing, hold.pong == nil, hold.tasks < options.maximumTasks else { return }
    endTaskWait()
    connection?.assumeOnLoop { $0.releaseMessages() }
  }

  // MARK: Pings

  /// Sends a pong once all subscriptions have begun whose messages came before the ping. So a client that waits for the
  /// pong knows that it misses no event from then on. Later messages wait.
  func answerPing(with pong: [UInt8]) {
    guard isBeginning else { return send(pong) }
    connection?.assumeOnLoop { $0.holdMessages() }
    hold.pong = pong
  }

  func sendHeldPong() {
    guard let pong = hold.pong, !isBeginning else { return }
    hold.pong = nil
    send(pong)
    releaseMessages()
  }

  /// Sends the held pong if no operation is about to begin any more. In a task of its own, because the messages after
  /// the ping may start operations, which must not run within another.
  func operationDidProceed() {
    guard hold.pong != nil, !isBeginning else { return }
    Task(executorPreference: loop) { [self] in await sendHeldPong() }
  }

  // MARK: Tasks

  /// Counts a task that is about to be created. Beyond the maximum, later messages wait.
  func taskWillBegin() {
    hold.tasks += 1
    guard hold.tasks >= options.maximumTasks, let connection else { return }
    connection.assumeOnLoop { $0.holdMessages() }
    guard hold.timer == nil else { return }
    hold.timer = loop.schedule(after: UInt64(options.taskWait.millisecondsRoundedUp)) { [self] in
      let reason = CloseReason(.tryAgainLater, text: "OVERLOADED: Operations that were stopped still run.")
      assumeOnLoop { $0.close(reason) }
    }
  }

  func endTaskWait() {
    hold.timer?.close()
    hold.timer = nil
  }

  /// Called as the last statement of a counted task.
  func taskDidEnd() {
    hold.tasks -= 1
    // Only some tasks below the maximum, because each release copies the bytes that have arrived in the meantime.
    if hold.tasks == options.maximumOperations { releaseMessages() }
  }
}
