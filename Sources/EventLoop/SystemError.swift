import CLibUV

/// A call to the system that failed: which one, and why.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The `errno` value, positive.
  package let number: Int32
  /// What was being done, as "accept".
  package let operation: String

  package init(_ number: Int32, during operation: String) {
    self.number = abs(number)
    self.operation = operation
  }

  /// The symbolic name of the error, as "ECONNRESET".
  package var code: String { String(cString: uv_err_name(-number)) }

  package var description: String { "\(operation) failed: \(String(cString: uv_strerror(-number))) (\(code))" }
}
