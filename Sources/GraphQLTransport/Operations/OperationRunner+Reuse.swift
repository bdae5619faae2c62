import Bytes
import GraphQL
import JSON

/// Responses to queries that are sent again to equal requests (`ResponseCache`).
///
/// A response is found before the variables are coerced and the operation is planned. The caller was identified before,
/// and the time is charged as that of an execution.
extension OperationRunner {
  /// Makes the key of a query whose response can be kept, `responseKey`, and lets the service record what the response
  /// depends on. The key is everything by which responses differ, except for the caller, the data and the time: the
  /// operation, what the service adds, and the variables as they were sent. Returns the caller's audiences; nil if no
  /// response is sent again to the request.
  @inline(__always)
  func prepareReuse(
    of operation: PreparedOperation,
    for request: GraphQLRequest,
    from origin: RequestOrigin,
    in context: Context
  ) -> ResponseAudiences? {
    guard responses.isOn, operation.type == .query, origin.purpose == .execution, origin.files.isEmpty,
      origin.trace == nil, origin.measurement == nil, request.idempotencyKey == nil,
      origin.incremental == nil || !operation.canBeIncremental
    else { return nil }
    responseKey.removeAll()
    responseKey.append(bytesOf: operation.number)
    guard let audiences = service.beginReuse(for: context, key: &responseKey) else { return nil }
    request.variables.object?.withRawBytes { responseKey.append($0) }
    return responseKey.count <= Self.maximumKeyBytes ? audiences : nil
  }

  /// Longer variables are rarely sent twice.
  private static var maximumKeyBytes: Int { 4 << 10 }

  /// Whether the response to an equal request of a caller with the same audience is still valid, and sent again. Call
  /// `prepareReuse` before.
  @inline(__always)
  func reuses(
    _ entry: ResponseCache.Entry,
    to request: GraphQLRequest,
    operation: PreparedOperation,
    from origin: RequestOrigin,
    in context: Context
  ) -> Bool {
    let validity = entry.validity(as: Service.ResponseValidity.self)
    guard isValid(validity, for: context) else {
      responses.remove(entry)
      return false
    }
    responses.noteUse(of: entry)
    assert(
      isReproduced(
        ResponseCache.HeldEntry(entry).response,
        while: validity,
        to: request,
        operation: operation,
        from: origin,
        in: context
      )
    )
    if let note = origin.note { describe(request, operation: operation, for: note, in: context) }
    return true
  }

  private func isValid(_ validity: Service.ResponseValidity, for context: Context) -> Bool {
    (try? service.isValid(validity, for: context)) ?? false
  }

  /// The same in a context that does not answer at once. The validity is read with the caller's session in one round
  /// trip, and what is executed otherwise in the same snapshot.
  func reuses(
    _ held: ResponseCache.HeldEntry,
    for query: ReusableQuery,
    to request: GraphQLRequest,
    from origin: RequestOrigin,
    in context: Context
  ) async -> Bool {
    let validity = held.entry.validity(as: Service.ResponseValidity.self)
    let isValid: Bool
    do {
      isValid = try await context.inPasses(canBeginAgain: true) { try service.isValid(validity, for: context) }
    } catch {
      // The execution has the same error, or begins again: with the caller that was found, or in another snapshot.
      return false
    }
    guard isValid else {
      responses.remove(held.entry)
      return false
    }
    responses.noteUse(of: held.entry)
    #if DEBUG
      let isReproduced = await isReproduced(held.response, for: query, while: validity, to: request, in: context)
      precondition(isReproduced, "The response to an earlier request is not the one to an equal request.")
    #endif
    if let note = origin.note { describe(request, operation: query.operation, for: note, in: context) }
    return true
  }

  /// Keeps the response that was executed since `prepareReuse`.
  ///
  /// - Parameter key: of a request that has waited since; nil if it has not, and its key is `responseKey`.
  @inline(never)
  func keep(
    _ response: borrowing ByteBuffer,
    of audiences: ResponseAudiences,
    key: [UInt8]?,
    of operation: PreparedOperation,
    in context: Context
  ) {
    guard response.count <= ResponseFormat.maximumBytesOnLoop, operation.constantResponse == nil,
      !response.withUnsafeBytes(OperationSummary.hasErrors),
      let (validity, audience) = service.validityOfResponse(in: context)
    else { return }
    if let key { responses.removeEntry(of: audiences, for: key) }
    responses.keep(
      response,
      of: audiences,
      for: key ?? responseKey.array(),
      audience: audience,
      validity: validity
    )
  }

  /// The request log states the cost, which depends on the variables.
  private func describe(
    _ request: GraphQLRequest,
    operation: PreparedOperation,
    for note: RequestNote,
    in context: Context
  ) {
    note.operation = operation
    if let variables = try? coerceVariables(of: request, to: operation, in: context) { note.variables = variables }
  }

  /// Executes the operation again, and returns whether the response is the same. Debug builds, and so the tests, stop
  /// if it is not.
  private func isReproduced(
    _ response: [UInt8],
    while validity: Service.ResponseValidity,
    to request: GraphQLRequest,
    operation: PreparedOperation,
    from origin: RequestOrigin,
    in context: Context
  ) -> Bool {
    guard let variables = try? coerceVariables(of: request, to: operation, in: context) else { return false }
    do throws(GraphQLError) {
      switch try executor.start(
        operation,
        variables: variables,
        context: context,
        onError: request.onError,
        incremental: origin.incremental
      ) {
      // The execution takes too long for the loop.
      case .waiting: return true
      case .response(let executed):
        // Or something was committed meanwhile.
        return executed.array() == response || !isValid(validity, for: context)
      }
    } catch {
      // The operation was executed before with the same variables.
      return false
    }
  }

  #if DEBUG
    /// The same in a context that does not answer at once.
    private func isReproduced(
      _ response: [UInt8],
      for query: ReusableQuery,
      while validity: Service.ResponseValidity,
      to request: GraphQLRequest,
      in context: Context
    ) async -> Bool {
      guard let variables = try? coerceVariables(of: request, to: query.operation, in: context) else { return false }
      let executed: [UInt8]
      do throws(GraphQLError) {
        switch try executor.start(query.operation, variables: variables, context: context, onError: request.onError) {
        case .waiting(let execution): executed = try await executor.finish(execution).array()
        case .response(let response): executed = response.array()
        }
      } catch {
        return true
      }
      if executed == response { return true }
      // The execution may have failed, or have moved to another snapshot.
      if executed.withUnsafeBytes(OperationSummary.hasErrors) { return true }
      return await (try? context.inPasses { try service.isValid(validity, for: context) }) != true
    }
  #endif
}
