import GraphQL
import GraphQLTransport
import Storage

/// What clients learn about errors of the database. Nil stands for errors that they must not see.
extension DatabaseError {
  func ofRead(_ outages: OutageLog) -> FieldError? {
    switch code {
    case .overloaded:
      return FieldError("Too much is being read at this moment: try again in a few seconds.", code: .overloaded)
    case .unreachable, .closed:
      outages.note(.read, error: self)
      return FieldError("The server cannot read its data at this moment: try again later.", code: .storageUnavailable)
    default: return nil
    }
  }

  func ofWrite(_ outages: OutageLog) -> FieldError? {
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
    case .full, .inputOutput, .moved, .unreachable, .inUse:
      outages.note(.write, error: self)
      return FieldError(
        "The server cannot store anything at this moment. Nothing was changed: try again later.",
        code: .storageUnavailable
      )
    default: return nil
    }
  }
}

extension RequestContext {
  package func fieldError(for error: any Error) -> FieldError? {
    guard let error = error as? DatabaseError else { return nil }
    if error.code == .budgetExceeded, reader.isExhausted {
      return FieldError(
        "The request reads too much: select fewer fields, request shorter pages, or use a narrower filter.",
        code: .readLimitExceeded
      )
    }
    if error.code == .budgetExceeded, reader.isRecalled { return .tooMuchIsRead }
    return error.ofRead(services.outages)
  }
}

extension ErrorCode {
  static let overloaded = ErrorCode(rawValue: "OVERLOADED")
  /// A query exceeds `DatabaseLimits.readSteps`.
  static let readLimitExceeded = ErrorCode(rawValue: "READ_LIMIT_EXCEEDED")
}
