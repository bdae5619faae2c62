/// A place in a list: the values by which the list is ordered, the key last, so that no two places are the same and a
/// place stays where it is when others come before it.
struct Cursor {
  let values: [Int64]
  let key: GlobalID

  init(_ values: [Int64], _ key: GlobalID) {
    self.values = values
    self.key = key
  }

  /// Opaque to clients: the key enciphered, the other values in base 36 behind it.
  func text(_ cipher: IdentifierCipher) -> String {
    ([cipher.text(of: key)] + values.map { String($0, radix: 36) }).joined(separator: "~")
  }

  /// Nil where the text is no cursor of a list of this order.
  init?(_ text: String, in list: ListOrder, _ cipher: IdentifierCipher) {
    guard text.utf8.count <= IdentifierCipher.length + list.values * 15 else { return nil }
    let parts = text.split(separator: "~", omittingEmptySubsequences: false)
    guard parts.count == list.values + 1, let key = cipher.key(of: String(parts[0])), key.kind == list.kind else {
      return nil
    }
    var values: [Int64] = []
    for part in parts.dropFirst() {
      guard part.utf8.count <= 14, let value = Int64(part, radix: 36) else { return nil }
      values.append(value)
    }
    self.init(values, key)
  }
}
