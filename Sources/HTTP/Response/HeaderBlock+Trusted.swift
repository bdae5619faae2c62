/// Headers of the program, which are known to be well-formed. One that is not is a programming error, and ends the
/// program.
extension HeaderBlock {
  package init(trusted headers: KeyValuePairs<String, String>) {
    do {
      try self.init(headers)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// A copy with one more line.
  package func adding(trusted name: String, _ value: String) -> HeaderBlock {
    do {
      return try adding(name, value: value)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
