import Bytes
import GraphQL

/// Responses that are delivered in parts.
extension OperationRunner {
  func session(of pending: PendingRequest<Service>) -> Int64? {
    pending.context.flatMap { service.identity(of: $0).session }
  }

  /// The response of a pending request, beginning with its initial part.
  /// - Parameter session: The session of the caller before the execution.
  func parts(
    of pending: PendingRequest<Service>,
    session: Int64?,
    execution: Execution,
    initial: consuming ByteBuffer
  ) -> ResponseParts {
    pending.hasParts = true
    return ResponseParts(initial) { [self] in
      guard execution.hasNext, let context = pending.context else { return nil }
      let part: ByteBuffer
      if await isUnchanged(session, of: pending.origin.caller) {
        part = await executor.nextPart(of: execution)
      } else {
        part = executor.lastPart(of: execution, error: .sessionEnded)
      }
      charge(execution.timeBetweenAnswers, to: context)
      charge(bytes: part.count, to: context)
      if !execution.hasNext { pending.finishContext() }
      return part
    }
  }

  /// Whether the caller has still the session with which the response began: a client may read it slowly, and what
  /// comes later is read later.
  private func isUnchanged(_ session: Int64?, of caller: Caller) async -> Bool {
    guard let session else { return true }
    do {
      let known = try service.knownContext(for: caller)
      let context = if let known { known } else { try await service.context(for: caller) }
      defer { service.finish(context) }
      return service.identity(of: context).session == session
    } catch {
      return false
    }
  }
}

extension GraphQLError {
  fileprivate static let sessionEnded = GraphQLError(
    "The session ended before the whole response was delivered.",
    code: .unauthenticated
  )
}
