import Foundation
import Glibc

/// A folder that is deleted with this value.
package final class TemporaryDirectory: Sendable {
  package let path: String

  package init() throws {
    path = NSTemporaryDirectory() + "/hearth-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// A folder that the test or a program creates.
  package init(existing path: String) { self.path = path }

  deinit {
    // The writer of a database that was released before can still be closing its files on a thread of its own. After
    // the renaming it cannot create a file in the folder, which would keep the folder from being deleted.
    let deleted = path + "-deleted"
    try? FileManager.default.removeItem(atPath: rename(path, deleted) == 0 ? deleted : path)
  }
}
