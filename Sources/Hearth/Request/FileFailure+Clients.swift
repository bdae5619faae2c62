import GraphQL
import GraphQLTransport

extension FileFailure {
  /// Notes the error in the log if a file cannot be written.
  ///
  /// - Returns: What clients learn about the error, which is the same as of a database that cannot be written; nil if
  ///   they must not see it.
  func noteWriteFailure(in outages: OutageLog) -> FieldError? {
    guard isOfWrite else { return nil }
    outages.note(.write, error: self)
    return .nothingIsStored
  }
}

extension FieldError {
  static let nothingIsStored = FieldError(
    "The server cannot store anything at this moment. Nothing was changed: try again later.",
    code: .storageUnavailable
  )
}
