import Storage
import TestSupport
import Testing

@Suite("Writes of several lanes")
struct WriteFairnessTests {
  /// Queues a write that inserts the number, and records it once it is committed.
  private func write(
    _ number: Int,
    lane: Int64?,
    to database: Database,
    recording order: Recorder = Recorder()
  ) -> Task<Void, any Error> {
    Task.immediate {
      try await database.write(lane: lane) { transaction in
        transaction.afterCommit { order.append(number) }
        try transaction.insert(Int64(number))
      }
    }
  }

  private func full(_ message: String) -> DatabaseError { DatabaseError(.overloaded, message: message) }

  @Test func `one does not wait for three hundred of another lane, which are in order`() async throws {
    var limits = DatabaseLimits()
    limits.queuedWritesOfLane = 300
    let temporary = try TemporaryDatabase(limits: limits)
    let order = Recorder()
    let hold = await Hold(temporary.database)
    var tasks = (0..<300).map { write($0, lane: 1, to: temporary.database, recording: order) }
    tasks.append(write(1_000, lane: 2, to: temporary.database, recording: order))
    hold.release()
    for task in tasks { try await task.value }
    #expect(order.values == [0, 1_000] + Array(1..<300))
  }

  @Test func `a group ends when its time is over, and the rest takes turns with other lanes`() async throws {
    var limits = DatabaseLimits()
    // Each group has one write.
    limits.groupTime = .zero
    let temporary = try TemporaryDatabase(limits: limits)
    let order = Recorder()
    let hold = await Hold(temporary.database)
    var tasks = (0..<5).map { write($0, lane: 1, to: temporary.database, recording: order) }
    tasks.append(write(10, lane: 2, to: temporary.database, recording: order))
    tasks.append(write(20, lane: nil, to: temporary.database, recording: order))
    hold.release()
    for task in tasks { try await task.value }
    #expect(order.values == [0, 1, 10, 20, 2, 3, 4])
  }

  @Test func `a lane has a limit of its own, except that of the server's own writes`() async throws {
    var limits = DatabaseLimits()
    limits.queuedWritesOfLane = 2
    let temporary = try TemporaryDatabase(limits: limits)
    let database = temporary.database
    let hold = await Hold(database)
    var tasks = (0..<2).map { write($0, lane: 1, to: database) }
    let rejected = write(2, lane: 1, to: database)
    await #expect(throws: full("The lane of a write is full: 2 writes are waiting in it.")) {
      try await rejected.value
    }
    tasks.append(write(10, lane: 2, to: database))
    for number in 20..<24 { tasks.append(write(number, lane: nil, to: database)) }
    #expect(database.waitingWrites == 7)
    hold.release()
    for task in tasks { try await task.value }
    #expect(try temporary.entries() == [0, 1, 10, 20, 21, 22, 23])
  }

  @Test func `when the queue is full, the longest lane's newest write makes room for a shorter lane`() async throws {
    var limits = DatabaseLimits()
    limits.queuedWrites = 4
    let temporary = try TemporaryDatabase(limits: limits)
    let database = temporary.database
    let hold = await Hold(database)
    let long = (0..<4).map { write($0, lane: 1, to: database) }
    let short = (10..<13).map { write($0, lane: 2, to: database) }
    // Two of each lane are waiting now.
    for rejected in [long[3], long[2], short[2]] {
      await #expect(throws: full("The queue of writes is full: 4 writes are waiting.")) { try await rejected.value }
    }
    hold.release()
    for task in [long[0], long[1], short[0], short[1]] { try await task.value }
    #expect(try temporary.entries() == [0, 1, 10, 11])
  }

  @Test func `a database closes after the rests of groups`() async throws {
    var limits = DatabaseLimits()
    limits.groupTime = .zero
    let temporary = try TemporaryDatabase(limits: limits)
    let database = temporary.database
    let hold = await Hold(database)
    let tasks = (0..<30).map { write($0, lane: Int64($0 % 3), to: database) }
    let closing = Task.immediate { await database.close() }
    hold.release()
    await closing.value
    for task in tasks { try await task.value }
    #expect(try temporary.entries() == Array(0..<30))
  }
}
