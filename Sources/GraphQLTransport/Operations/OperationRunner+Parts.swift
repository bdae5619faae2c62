import Bytes
import GraphQL

/// Responses that are delivered in parts.
extension OperationRunner {
  func session(of pending: PendingRequest<Service>) -> Int64? {
    pending.context.flatMap { service.identity(of: $0).session?.id }
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
    // A mutation can change them itself: what follows has the rights that it leaves.
    let rights = pending.context.flatMap { service.identity(of: $0).session?.rights }
    return ResponseParts(initial) { [self] in
      guard execution.hasNext, let context = pending.context else { return nil }
      let part: ByteBuffer
      if let error = await change(of: session, rights: rights, of: pending.origin.caller) {
        part = executor.lastPart(of: execution, error: error)
      } else {
        part = await executor.nextPart(of: execution)
      }
      charge(execution.timeBetweenAnswers, to: context)
      charge(bytes: part.count, to: context)
      if !execution.hasNext { pending.finishContext() }
      return part
    }
  }

  /// Why the caller may not receive the rest of a response, if the session with which it began has ended, has other
  /// rights, or cannot be read, or the token has expired: a client may read it slowly, and what comes later is read
  /// later.
  private func change(of session: Int64?, rights: Int64?, of caller: Caller) async -> GraphQLError? {
    guard let session else { return nil }
    do {
      let known = try service.knownContext(for: caller)
      let context = if let known { known } else { try await service.context(for: caller) }
      defer { service.finish(context) }
      switch service.identity(of: context) {
      case .signedIn(let current) where current.id == session: return current.rights == rights ? nil : .rightsChanged
      // The session goes on: the client gets a new token, and sends the request again.
      case .rejected(let error) where error.code == .tokenExpired: return error
      default: return .sessionEnded
      }
    } catch {
      return failure(for: error).first
    }
  }
}

extension GraphQLError {
  fileprivate static let sessionEnded = GraphQLError(
    "The session ended before the whole response was delivered.",
    code: .unauthenticated
  )
  fileprivate static let rightsChanged = GraphQLError(
    "Your rights changed before the whole response was delivered: send the request again.",
    code: .rightsChanged
  )
}
