import Foundation

/// The form in which names are compared, ordered and searched, without case, accents and width: "Émile" becomes
/// "emile".
enum NameKey {
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
