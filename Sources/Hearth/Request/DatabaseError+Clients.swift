import GraphQL
import GraphQLTransport
import Storage

extension DatabaseError {
  /// Notes the error of a read in the log if it is part of an outage.
  ///
  /// `inUse` is not among the errors of reads: only writes require that no other process uses the database alone.
  ///
  /// - Returns: What clients learn about the error; nil if they must not see it.
  func noteReadFailure(in outages: OutageLog) -> FieldError? {
    switch code {
    case .overloaded:
      return FieldError("Too much is being read at this moment: try again in a few seconds.", code: .overloaded)
    case .unreachable, .closed, .inputOutput, .moved:
      outages.note(.read, error: self)
      return FieldError("The server cannot read its data at this moment: try again later.", code: .storageUnavailable)
    case .tooSlow:
      outages.note(.slowRead, error: self)
      return FieldError(
        "The database took too long: try again later. If that does not help, select fewer fields, request shorter "
          + "pages, or use a narrower filter.",
        code: .storageUnavailable
      )
    default: return nil
    }
  }

  /// Notes the error of a write in the log if it is part of an outage.
  ///
  /// - Returns: What clients learn about the error; nil if they must not see it.
  func noteWriteFailure(in outages: OutageLog) -> FieldError? {
    switch code {
    case .overloaded:
      return FieldError("Too much is being written at this moment: try again in a few seconds.", code: .overloaded)
    case .unknownOutcome:
      outages.note(.unknownOutcome, error: self)
      return FieldError(
        "The connection to the database was lost, and it is not known whether the change was stored: reload your data "
          + "before you repeat it.",
        code: .storageUnavailable
      )
    case .budgetExceeded:
      outages.note(.largeWrite, error: self)
      return FieldError(
        "This changes more data than one request may. Nothing was changed: change less at a time.",
        code: .writeLimitExceeded
      )
    case .full, .inputOutput, .moved, .unreachable, .inUse, .tooSlow:
      outages.note(.write, error: self)
      return .nothingIsStored
    default: return nil
    }
  }
}

extension RequestContext {
  package func fieldError(for error: any Error) -> FieldError? {
    // What has thrown this waited in a queue when the client ended its connection. It is no fault of the server.
    if error is CancellationError, Task.isCancelled { return .clientHasLeft }
    guard let error = error as? DatabaseError else {
      return (error as? any FileFailure)?.noteWriteFailure(in: services.outages)
    }
    if error.code == .budgetExceeded, reader.isExhausted {
      return FieldError(
        "The request reads too much: select fewer fields, request shorter pages, or use a narrower filter.",
        code: .readLimitExceeded
      )
    }
    if error.code == .budgetExceeded, reader.isRecalled {
      unreadData = .tooMuchIsRead
      return .tooMuchIsRead
    }
    guard let known = error.noteReadFailure(in: services.outages) else { return nil }
    switch error.code {
    case .overloaded, .unreachable, .tooSlow: unreadData = known
    default: break
    }
    guard hasWritten else { return known }
    return FieldError(
      "\(known.message) What this request has changed so far is stored: reload your data before you repeat it.",
      code: known.code
    )
  }
}

extension ErrorCode {
  /// A query exceeds `DatabaseLimits.readSteps` or `postgreSQL.rows`.
  static let readLimitExceeded = ErrorCode(rawValue: "READ_LIMIT_EXCEEDED")
  /// A write exceeds `DatabaseLimits.writeSteps`.
  static let writeLimitExceeded = ErrorCode(rawValue: "WRITE_LIMIT_EXCEEDED")
}
