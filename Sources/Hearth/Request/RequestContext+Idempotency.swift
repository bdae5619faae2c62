import GraphQL
import GraphQLTransport
import Storage

extension RequestContext {
  /// Begins a mutation with an idempotency key. Returns the response if it was executed before.
  func firstResponse(to request: IdempotentRequest) async throws -> [UInt8]? {
    let person = viewer?.member
    let key = idempotencyKey(request.key)
    // The rows are read after the key is taken, so that no other request writes with it in between.
    guard services.runningRequests.begin(key) else { throw GraphQLErrors([.idempotentRequestRunning]) }
    var isPassedOn = false
    defer { if !isPassedOn { services.runningRequests.end(key) } }
    let (outcomes, isOther, lastErasure) = try await read { reader in
      var outcomes: [Int64: [UInt8]] = [:]
      var isOther = false
      try reader.forEachRow(of: IdempotentWrite.ofKey, key) { row in
        if !row.blob(1).elementsEqual(request.fingerprint) { isOther = true }
        outcomes[row.int64(0)] = Array(row.blob(2))
      }
      let lastErasure = try reader.first(of: Secrets.read, IdempotentWrite.lastErasure) { row in Array(row.blob(0)) }
      return (outcomes, isOther, lastErasure)
    }
    guard !isOther else {
      throw GraphQLErrors([
        GraphQLError(
          "This idempotency key was used for another request: create a new key for each mutation.",
          code: .idempotencyKeyReused
        )
      ])
    }
    if let response = outcomes[IdempotentRun.responseStep] { return response }
    if outcomes.isEmpty {
      do throws(FieldError) {
        try await take(.idempotentRequest, by: viewer.map { .family($0.family) })
      } catch {
        throw GraphQLErrors([GraphQLError(error)])
      }
    }
    isPassedOn = true
    idempotentRun = IdempotentRun(
      key,
      of: person,
      request.fingerprint,
      outcomes: outcomes,
      lastErasure: lastErasure,
      at: now,
      services.runningRequests
    )
    return nil
  }

  /// A write (see `commit`). If the request has an idempotency key, the write is recorded with it, or skipped if it was
  /// committed before.
  func write<Value: Sendable>(_ body: @escaping @Sendable (DatedWrite) throws -> Value) async throws -> Value {
    guard let run = idempotentRun else { return try await commit(body) }
    switch try run.nextStep() {
    case nil: return try await commit(body)
    case .repeated(let outcome):
      willSuspend()
      hasWritten = true
      guard let value: Value = WriteOutcomes.value(of: outcome) else { throw FieldError.responseNotKept }
      return value
    case .new(let step):
      let record = run.recording(step)
      do {
        let value = try await commit { write in
          let value = try body(write)
          try record(WriteOutcomes.bytes(of: value), write.transaction)
          return value
        }
        run.didWrite(step)
        return value
      } catch let error as DatabaseError where error.code == .unique {
        guard try await isExecutedElsewhere(run) else { throw error }
        throw FieldError(GraphQLError.idempotentRequestRunning.message, code: .idempotentRequestRunning)
      }
    }
  }

  /// Whether another process on the same database has executed a part of the request since this one began it.
  private func isExecutedElsewhere(_ run: IdempotentRun) async throws -> Bool {
    let stored = try await read { reader in
      var steps: Set<Int64> = []
      try reader.forEachRow(of: IdempotentWrite.ofKey, run.key) { row in steps.insert(row.int64(0)) }
      return steps
    }
    // What follows can wait.
    endRead()
    return run.isExecutedElsewhere(stored)
  }

  /// Ends the mutation, and stores its response unless someone was erased meanwhile. Throws if another process executes
  /// the request too: the response may then be that of a request whose effect was there already.
  func keep(_ response: [UInt8]?) async throws {
    guard let run = idempotentRun else { return }
    // The fields of the response were read in a snapshot. Other requests of this loop, which continue while this one
    // waits, would read it too, and miss what they have just written.
    willSuspend()
    defer {
      run.end()
      idempotentRun = nil
    }
    if run.canBeExecutedElsewhere, !Task.isCancelled, (try? await isExecutedElsewhere(run)) == true {
      throw GraphQLErrors([.idempotentRequestRunning])
    }
    if let response, run.keepsResponse {
      let insert = run.keeping(response)
      do {
        try await services.database.write(lane: writeLane) { transaction in try insert(transaction) }
      } catch let error as DatabaseError where error.code == .unique {
        // Another process has repeated the request at the same time, and stored its response.
      } catch let error as DatabaseError where error.code == .overloaded {
        // No fault: the family has many writes waiting. The fields are read again for a repeated request.
      } catch {
        // The writes are recorded, so a repeated request still does not repeat them.
        report(error, at: "the response to a request with an idempotency key")
      }
    }
  }

  /// Keys belong to a member, or to a network for callers without a session. Only a hash of the client's key is stored.
  private func idempotencyKey(_ key: String) -> [UInt8] {
    let caller = viewer.map { "member \($0.member.rawValue)" } ?? "network \(client?.lane.key ?? 0)"
    return IdempotentWrite.key(key, of: viewer?.member, named: caller)
  }
}

extension GraphQLError {
  fileprivate static let idempotentRequestRunning = GraphQLError(
    "A request with this idempotency key is being executed: repeat this one in a second.",
    code: .idempotentRequestRunning,
    retryAfter: 1
  )
}
