/// Headers that are known to be well-formed. One that is not is a programming error, and ends the program.
extension HeaderBlock {
  /// Headers that are constants of the program and known to be well-formed.
  package init(fixed headers: KeyValuePairs<String, String>) {
    do {
      try self.init(headers)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// A copy with one more line, which is known to be well-formed.
  package func adding(fixed name: String, _ value: String) -> HeaderBlock {
    do {
      return try adding(name, value: value)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
