import ArgumentParser

/// Which entries of a queue a command sends now: one, all that would be tried again later, or all that have failed.
struct RetryOptions: ParsableArguments {
  @Argument(help: "The number of a mail or notification; by default all that would be tried again later.")
  var number: Int?

  @Flag(help: "Sends all that have failed.")
  var failed = false

  func validate() throws {
    guard number == nil || !failed else { throw ValidationError("Give either a number or --failed.") }
  }
}
