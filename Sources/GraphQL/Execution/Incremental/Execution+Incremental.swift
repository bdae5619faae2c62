import Basics
import Bytes

/// Executes an operation in parts: first everything that is not deferred, then what each part delivers. Nothing is read
/// for a part before it is due.
extension Execution {
  /// Whether `Executor.nextPart` continues the response.
  package var hasNext: Bool { delivery?.records.hasNext ?? false }

  /// Whether the response can have several parts.
  package var isIncremental: Bool { delivery != nil }

  func executeIncrementally(_ delivery: IncrementalDelivery) async -> ByteBuffer {
    insertRootObject()
    memory.walk.nextSets.append(0)
    await resolve()
    return await write(.initial, delivery: delivery)
  }

  func nextPart() async -> ByteBuffer {
    guard let delivery else { return ByteBuffer() }
    timeBetweenAnswers = 0
    let part = delivery.nextPart
    state.removeBatches()
    switch part {
    case .initial: break
    case .groups(let groups):
      for index in groups {
        let group = delivery.records.groups[index]
        if state.insert(group.row, of: plan.sets[group.set].type.index, into: group.set) {
          memory.walk.nextSets.append(group.set)
        }
      }
    case .streams(let streams):
      for index in streams {
        let stream = delivery.records.streams[index]
        insertItems(
          of: delivery.plan.streams[stream.stream],
          from: stream.cursor,
          items: delivery.items(of: stream),
          next: &memory.walk.nextSets
        )
      }
    }
    if !memory.walk.nextSets.isEmpty { await resolve() }
    return await write(part, delivery: delivery)
  }

  func lastPart(_ error: GraphQLError) -> ByteBuffer {
    guard let delivery else { return ByteBuffer() }
    return failure(error, of: .groups([]), delivery)
  }

  /// Resolves the next sets of the walk, and the levels that follow.
  private func resolve() async {
    let start = MonotonicClock.nanoseconds
    memory.walk.beginNext(of: plan)
    await resolveLevels(startsOffLoop: context.startsOffLoop)
    if context.answersAtOnce, !plan.isAsync, !context.startsOffLoop {
      timeBetweenAnswers += MonotonicClock.nanoseconds - start
    }
  }

  // MARK: Lists

  /// Adds the initial items of a list with `@stream` to the batches of their selection sets.
  func formStreamedBatches(of index: Int, in parents: Int, _ next: inout PlainBuffer<Int>) {
    guard let stream = plan.incremental?.streams[index] else { return }
    let load = Int(stream.items.source)
    for parent in state.batches[parents].rows.indices {
      let start = Int(state.runs[load].starts[Int(state.batches[parents].rows[parent])])
      guard start >= 0 else { continue }
      let token = RunToken(bits: state.runs[load].tokens[start])
      guard token.kind == .list else { continue }
      insertItems(of: stream, from: start + 1, items: 0..<min(stream.initialCount, token.payload), next: &next)
    }
  }

  /// Adds items of a list to the batches of their selection sets, and the sets that were empty before to `next`.
  /// - Parameter cursor: The position of the first of these items among the tokens of the call.
  private func insertItems(of stream: StreamPlan, from cursor: Int, items: Range<Int>, next: inout PlainBuffer<Int>) {
    state.runs[Int(stream.items.source)].forEachObject(from: cursor, runs: items.count) { token in
      enter(token, in: stream.sets, field: Int(stream.items.field), &next)
    }
  }

  // MARK: Writing

  /// Writes a part, off the event loop if it is long.
  private func write(_ part: IncrementalDelivery.Part, delivery: IncrementalDelivery) async -> ByteBuffer {
    let start = MonotonicClock.nanoseconds
    let before = delivery.records
    var written = write(part, delivery: delivery, isRepeated: false)
    timeBetweenAnswers += MonotonicClock.nanoseconds - start
    if written == nil {
      delivery.records = before
      do throws(FieldError) {
        try await offLoop { execution in
          guard let delivery = execution.delivery else { return }
          execution.response = execution.write(part, delivery: delivery, isRepeated: true)
        }
        written = response.take()
      } catch {
        delivery.records = before
        let error = GraphQLError(error)
        written = failure(error, of: part, delivery)
      }
    }
    if delivery.records.hasNext { context.willSuspend() }
    let result = written.take() ?? failure(delivery.limitError, of: part, delivery)
    delivery.sentBytes += result.count
    return result
  }

  /// Returns nil if writing is overdue.
  private func write(
    _ part: IncrementalDelivery.Part,
    delivery: IncrementalDelivery,
    isRepeated: Bool
  ) -> ByteBuffer? {
    if case .initial = part { return writeInitialPart(delivery, isRepeated: isRepeated) }
    let before = delivery.records
    var failures: [Int: [GraphQLError]] = [:]
    // The second time without the fragments that failed the first time.
    for _ in 0..<2 {
      delivery.records = before
      delivery.records.beginPart()
      for (fragment, errors) in failures { delivery.records.fragments[fragment].errors = errors }
      var writer = partWriter(ByteBuffer(capacity: 1024), isRepeated: isRepeated)
      writer.buffer.append("{\"incremental\":[")
      let isFinal = writer.writeEntries(of: part, delivery)
      if writer.isOverdue { return nil }
      if writer.isOverfull {
        delivery.records = before
        return failure(delivery.limitError, of: part, delivery)
      }
      if writer.isHalted, let error = writer.reportedErrors.first {
        delivery.records = before
        return failure(error, of: part, delivery)
      }
      if isFinal || !failures.isEmpty {
        writer.writeEnd(delivery, isInitial: false)
        return writer.output()
      }
      for index in before.fragments.indices {
        if let errors = delivery.records.fragments[index].errors { failures[index] = errors }
      }
    }
    return nil
  }

  private func writeInitialPart(_ delivery: IncrementalDelivery, isRepeated: Bool) -> ByteBuffer? {
    var writer = partWriter(ByteBuffer(capacity: expectedBytes), isRepeated: isRepeated)
    writer.writeData()
    if writer.isOverdue { return nil }
    if writer.isOverfull {
      delivery.records = DeliveryRecords()
      return failure(delivery.limitError, of: .initial, delivery)
    }
    var advanced = delivery.records
    _ = advanced.advance()
    guard advanced.hasNext else {
      delivery.records = advanced
      return writer.finish()
    }
    ErrorResponse.append(writer.reportedErrors, to: &writer.buffer)
    writer.writeEnd(delivery, isInitial: true)
    return writer.output()
  }

  private func partWriter(_ buffer: consuming ByteBuffer, isRepeated: Bool) -> ResponseWriter {
    ResponseWriter(self, output: buffer, canMoveOffLoop: !context.isOffLoop && !isRepeated, isRepeated: isRepeated)
  }

  /// The last part of a response that ends with an error.
  private func failure(
    _ error: GraphQLError,
    of part: IncrementalDelivery.Part,
    _ delivery: IncrementalDelivery
  ) -> ByteBuffer {
    if case .initial = part {
      delivery.records = DeliveryRecords()
      return ErrorResponse.withoutData(error)
    }
    delivery.fail(error)
    var writer = partWriter(ByteBuffer(capacity: 512), isRepeated: true)
    writer.buffer.append("{\"incremental\":[")
    writer.writeEnd(delivery, isInitial: false)
    return writer.output()
  }
}
