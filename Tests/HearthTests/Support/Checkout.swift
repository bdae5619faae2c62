import Foundation

/// The files of this package, for tests that inspect them.
enum Checkout {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  struct File: Sendable {
    /// From the root of the package.
    let path: String
    let text: String
    let lines: [Substring]

    init(path: String, text: String) {
      self.path = path
      self.text = text
      lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    var name: String { String(path.split(separator: "/").last ?? "") }
    var target: String { String(path.split(separator: "/").dropFirst().first ?? "") }
  }

  /// All Swift files below a folder, by path.
  static func swiftFiles(in folder: String) throws -> [File] {
    let start = root.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: start.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      File(path: "\(folder)/\(path)", text: try String(contentsOf: start.appendingPathComponent(path), encoding: .utf8))
    }
  }
}
