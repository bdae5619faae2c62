import Foundation

extension String {
  /// Writes the text to a file, whose folder is created if it does not exist. An unchanged file is not touched, so that
  /// builds do not compile it again, and development servers do not load it again.
  func writeIfChanged(to file: URL) throws {
    if (try? String(contentsOf: file, encoding: .utf8)) == self { return }
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try write(to: file, atomically: true, encoding: .utf8)
  }
}
