import Basics
import Glibc

enum StandardOutput {
  /// Writes bytes, without buffering.
  ///
  /// - Throws: a sentence for the operator if they cannot be written, as on a full disk or to a closed pipe.
  static func write(_ bytes: some Sequence<UInt8>) throws(CommandError) {
    guard FileCalls.write(Array(bytes)[...], to: STDOUT_FILENO) else {
      throw CommandError("Cannot write to standard output: \(FileCalls.reason).")
    }
  }
}
