/// Whether a text is well-formed XML, as far as drawings go: elements closed in their order, no stray `<` or `&`, and
/// no character that XML 1.0 does not have (section 2.2).
struct XMLCheck {
  let isWellFormed: Bool

  init(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      isWellFormed = false
      return
    }
    let hasForeignCharacter = text.unicodeScalars.contains { scalar in
      (scalar.value < 0x20 && ![0x09, 0x0A, 0x0D].contains(scalar.value)) || [0xFFFE, 0xFFFF].contains(scalar.value)
    }
    isWellFormed = !hasForeignCharacter && Self.isBalanced(text)
  }

  /// By scalars: a mark after a `;` makes no entity less of one.
  private static func isBalanced(_ text: String) -> Bool {
    var open: [[Unicode.Scalar]] = []
    var rest = Array(text.unicodeScalars)[...]
    while let start = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
      rest = rest[start...]
      if rest.first == "&" {
        let entities = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"].map { Array($0.unicodeScalars) }
        guard let entity = entities.first(where: { rest.starts(with: $0) }) else { return false }
        rest = rest.dropFirst(entity.count)
        continue
      }
      guard let end = rest.firstIndex(of: ">") else { return false }
      let tag = Array(rest[(start + 1)..<end])
      if tag.first == "/" {
        guard let opened = open.popLast(), opened == Array(tag.dropFirst()) else { return false }
      } else if tag.last != "/" {
        open.append(Array(tag.prefix { $0 != " " }))
      }
      rest = rest[(end + 1)...]
    }
    return open.isEmpty
  }
}
