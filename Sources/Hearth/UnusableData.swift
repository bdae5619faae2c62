import Foundation
import Storage

/// Why the data cannot be used, in a sentence for those who run the server.
package struct UnusableData: Error, CustomStringConvertible {
  package let description: String

  init(at path: String, _ error: DatabaseError) {
    // The one fault that is not the data's own.
    description =
      error.code == .destinationExists ? error.message : "The database \(path) cannot be used: \(error.message)"
  }

  /// Makes the folder that is to hold the data, where it is not there yet: for the server's own eyes.
  static func makeFolder(_ path: String) throws(UnusableData) {
    do {
      try FileManager.default.createDirectory(
        atPath: path,
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    } catch {
      // Foundation does not always say why; the system does.
      guard mkdir(path, 0o700) != 0 else { return }
      throw UnusableData(description: "The folder \(path) cannot be made: \(String(cString: strerror(errno))).")
    }
  }

  private init(description: String) { self.description = description }

  /// Runs what opens or reads the data at `path`.
  static func naming<Value>(
    _ path: String,
    _ body: (_ path: String) throws(DatabaseError) -> Value
  ) throws(UnusableData) -> Value {
    do throws(DatabaseError) {
      return try body(path)
    } catch {
      throw UnusableData(at: path, error)
    }
  }
}
