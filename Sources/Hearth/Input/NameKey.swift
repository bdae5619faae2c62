import Foundation

/// The form in which names are compared, ordered and searched, without case, accents and width: "Émile" becomes
/// "emile".
enum NameKey {
  /// The maximum number of bytes of a stored key. A line can have 4,000, which can be a few letters with many combining
  /// marks, and an index of PostgreSQL takes no text of more than 2,704. Longer keys end there: names that begin with
  /// the same key are in the order of their ids.
  private static let maximumBytes = 1000

  /// A key as it is stored.
  static func shortened(_ key: String) -> String { key.prefix(bytes: maximumBytes) }

  static func key(of name: String) -> String {
    // Most names are ASCII, which `lowercased` folds in a hundredth of the time.
    if isASCII(name.utf8.span) { return name.lowercased() }
    return name.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }

  private static func isASCII(_ bytes: Span<UInt8>) -> Bool {
    for index in bytes.indices where bytes[index] >= 0x80 { return false }
    return true
  }
}
