import Foundation

/// A cursor for keyset pagination: the values by which the list is sorted, and the key as a tie-breaker. Cursors are
/// therefore unique, and stay valid when rows are inserted before them.
struct Cursor {
  let values: [Int64]
  /// For lists that are sorted by text. It comes after the values.
  let text: String?
  let key: GlobalID

  /// The longest sort key: a name in the order of address books, which contains it twice.
  private static let maximumTextBytes = 300 * InputForm.bytesPerCharacter

  init(_ values: [Int64], text: String? = nil, _ key: GlobalID) {
    self.values = values
    self.text = text
    self.key = key
  }

  /// Encodes the cursor as an opaque text: the encrypted key, the values in base 36, and a dot with the text in base
  /// 64.
  func text(_ cipher: IdentifierCipher) -> String {
    var parts = [cipher.text(of: key)] + values.map { String($0, radix: 36) }
    if let text { parts.append("." + Data(text.utf8).base64EncodedString()) }
    return parts.joined(separator: "~")
  }

  /// Returns nil if the text is not a cursor of a list with this order.
  init?(_ text: String, in list: ListOrder, _ cipher: IdentifierCipher) {
    let longestText = list.hasText ? Self.maximumTextBytes * 2 : 0
    guard text.utf8.count <= IdentifierCipher.length + list.values * 15 + longestText else { return nil }
    var parts = text.split(separator: "~", omittingEmptySubsequences: false)
    var ordering: String?
    if list.hasText {
      guard let part = parts.popLast(), part.first == ".", let data = Data(base64Encoded: String(part.dropFirst())),
        let decoded = String(validating: data, as: UTF8.self)
      else { return nil }
      ordering = decoded
    }
    guard parts.count == list.values + 1, let key = cipher.key(of: String(parts[0])),
      key.kind.map(list.kinds.contains) == true
    else {
      return nil
    }
    var values: [Int64] = []
    for part in parts.dropFirst() {
      guard part.utf8.count <= 14, let value = Int64(part, radix: 36) else { return nil }
      values.append(value)
    }
    self.init(values, text: ordering, key)
  }
}
