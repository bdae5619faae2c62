extension Reader {
  /// The largest number of passes. Each asks what it could not know in the one before.
  private static var maximumPasses: Int { 32 }

  /// Calls `body`, again until all statements that it runs are answered. Without suspension if the reader answers at
  /// once. `body` must have no effect.
  package func inPasses<Value>(_ body: () throws -> Value) async throws -> Value {
    if answersAtOnce { return try body() }
    for _ in 0..<Self.maximumPasses {
      beginPass()
      let result = Result { try body() }
      guard endPass() else { return try result.get() }
      _ = await answers()
    }
    throw DatabaseError(.misuse, message: "The statements differ in each pass.")
  }
}
