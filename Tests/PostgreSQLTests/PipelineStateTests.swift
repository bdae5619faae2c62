import Testing

@testable import PostgreSQL

@Suite("The queue of a pipeline")
struct PipelineStateTests {
  private func state(_ commands: PipelineState.Command...) -> PipelineState {
    var state = PipelineState()
    for command in commands { state.send(command) }
    return state
  }

  @Test func `results belong to the statements in their order`() {
    var state = state(
      .prepare(slot: 3),
      .synchronize(endsBatch: false),
      .execute,
      .execute,
      .synchronize(endsBatch: true),
      .execute,
      .synchronize(endsBatch: true)
    )
    let steps = [.success, .end, .synchronized, .success, .end, .success, .end, .synchronized, .success, .end]
      .map { (report: PipelineState.Report) in state.receive(report) }
    #expect(
      steps == [.nothing, .nothing, .nothing, .result, .nothing, .result, .nothing, .batchDone, .result, .nothing]
    )
    #expect(!state.isEmpty)
    #expect(state.receive(.synchronized) == .batchDone)
    #expect(state.isEmpty)
  }

  @Test func `an error fails its batch alone`() {
    var state = state(
      .execute,
      .execute,
      .execute,
      .synchronize(endsBatch: true),
      .execute,
      .synchronize(endsBatch: true)
    )
    let steps = [.success, .end, .error, .end, .aborted, .end, .synchronized, .success, .end, .synchronized]
      .map { (report: PipelineState.Report) in state.receive(report) }
    #expect(
      steps == [.result, .nothing, .failed, .nothing, .nothing, .nothing, .batchDone, .result, .nothing, .batchDone]
    )
  }

  @Test func `a statement that cannot be prepared is reported with its slot`() {
    var state = state(.prepare(slot: 7), .synchronize(endsBatch: false), .execute, .synchronize(endsBatch: true))
    #expect(state.receive(.error) == .notPrepared(slot: 7))
    #expect(state.receive(.end) == .nothing)
    #expect(state.receive(.synchronized) == .nothing)
    #expect(state.receive(.error) == .failed)
  }

  @Test func `reports that no server sends are violations`() {
    var idle = state()
    #expect(idle.receive(.success) == .violation)
    #expect(idle.receive(.synchronized) == .violation)
    #expect(idle.receive(.end) == .nothing)
    var running = state(.execute, .synchronize(endsBatch: true))
    #expect(running.receive(.synchronized) == .violation)
    #expect(running.receive(.end) == .violation)
    #expect(running.receive(.success) == .result)
    #expect(running.receive(.success) == .violation)
    #expect(running.receive(.end) == .nothing)
    #expect(running.receive(.success) == .violation)
  }

  @Test func `the queue stays bounded in a pipeline that is never empty`() {
    var state = PipelineState()
    state.send(.execute)
    for _ in 0..<10_000 {
      state.send(.execute)
      #expect(state.receive(.success) == .result)
      #expect(state.receive(.end) == .nothing)
    }
    #expect(!state.isEmpty)
    #expect(MemoryLayout<PipelineState>.size < 64 && state.keptCount < 1_000)
  }
}
