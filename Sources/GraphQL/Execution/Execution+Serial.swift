import Basics
import Bytes

/// Mutations.
extension Execution {
  /// Executes root fields serially (specification, section 6.2.2, `ExecuteMutation`). Each field is written before the
  /// next one changes the data that it shows. When the client has disconnected, no further field is started.
  @inline(__always)
  func executeSerially() async -> ByteBuffer {
    let root = plan.sets[0]
    var isNull = false
    for index in root.operations {
      if index > root.operations.lowerBound {
        if Task.isCancelled {
          errors.append(cancellation(before: plan.operations[index]))
          isNull = true
          break
        }
        // Fields that reject their input do not wait: others are served between a hundred of them.
        if context.hasLongTurn {
          context.willSuspend()
          await Task.yield()
        }
        context.checkCaller()
        discardResults()
      }
      let start = (turn: context.turn, time: MonotonicClock.nanoseconds)
      insertRootObject()
      memory.walk.begin(rootField: plan.operations[index], of: plan)
      await resolveLevels()
      var outcome = write(rootField: index, canMoveOffLoop: true)
      if outcome == .overdue { outcome = await writeOffLoop(rootField: index) }
      if let turn = start.turn, context.turn == turn {
        timeBetweenAnswers += MonotonicClock.nanoseconds - start.time
      }
      if outcome == .overfull { return ErrorResponse.tooLarge(limits.responseBytes) }
      if outcome == .null {
        isNull = true
        break
      }
    }
    var output = response.take() ?? beginResponse()
    if isNull {
      output.truncate(to: Self.beforeData.utf8CodeUnitCount)
      output.append("null")
    } else {
      output.append("}")
    }
    if !errors.isEmpty { ErrorResponse.append(errors.list(in: operation.document.source), to: &output) }
    output.append("}")
    return output
  }

  /// The response of a mutation until its first field. Called after that field has waited: a response that waited with
  /// each of many mutations would use memory that no processor has at hand.
  private func beginResponse() -> ByteBuffer {
    var output = ByteBuffer(capacity: expectedBytes)
    output.append(Self.beforeData)
    output.append("{")
    return output
  }

  private static var beforeData: StaticString { "{\"data\":" }

  enum WriteOutcome { case written, null, overfull, overdue }

  private func write(rootField index: Int, canMoveOffLoop: Bool, isRepeated: Bool = false) -> WriteOutcome {
    let output = response.take() ?? beginResponse()
    let start = output.count
    var writer = ResponseWriter(
      self,
      output: output,
      errors: errors,
      canMoveOffLoop: canMoveOffLoop,
      isRepeated: isRepeated
    )
    let isWritten = writer.writeRootField(index)
    let outcome: WriteOutcome =
      writer.isOverdue ? .overdue : writer.isOverfull ? .overfull : isWritten ? .written : .null
    if outcome != .overdue { errors = writer.errors }
    response = writer.output()
    if outcome == .overdue { response?.truncate(to: start) }
    return outcome
  }

  /// Writes a long root field off the event loop; on it if there is no room, because the field has changed data, so the
  /// response must not say that it failed.
  private func writeOffLoop(rootField index: Int) async -> WriteOutcome {
    do throws(FieldError) {
      try await offLoop { $0.outcome = $0.write(rootField: index, canMoveOffLoop: false, isRepeated: true) }
      return outcome
    } catch {
      return write(rootField: index, canMoveOffLoop: false, isRepeated: true)
    }
  }

  /// The error for a root field that was not started, although the fields before it have been executed.
  private func cancellation(before operation: WriteOperation) -> GraphQLError {
    let field = plan.fields[Int(operation.field)]
    let key = plan.responseKey(of: field)
    return GraphQLError(
      "The client ended its connection before \"\(key)\" was started.",
      at: self.operation.document.locations(field.nodes),
      path: [.key(key)],
      code: .requestCancelled
    )
  }
}
