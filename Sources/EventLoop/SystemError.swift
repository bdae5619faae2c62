import CLibUV

/// A system call that failed, and why.
package struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The `errno` value, positive.
  package let number: Int32
  /// The failed operation, such as "accept".
  package let operation: String

  package init(_ number: Int32, during operation: String) {
    self.number = abs(number)
    self.operation = operation
  }

  /// The symbolic name of the error, such as "ECONNRESET".
  package var code: String { String(cString: uv_err_name(-number)) }

  package var description: String { "\(operation) failed: \(String(cString: uv_strerror(-number))) (\(code))" }
}
