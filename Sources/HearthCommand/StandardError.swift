import Foundation

enum StandardError {
  /// Writes a line.
  static func print(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
}
