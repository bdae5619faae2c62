import Foundation

/// A folder that is deleted with this value.
final class TemporaryDirectory: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/hearth-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// A folder that the test or a program creates.
  init(existing path: String) { self.path = path }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
