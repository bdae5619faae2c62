/// Whether a text is well-formed XML, as far as drawings go: elements closed in their order, no stray `<` or `&`, and no
/// character that XML 1.0 does not have (section 2.2).
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

  private static func isBalanced(_ text: String) -> Bool {
    var open: [Substring] = []
    var rest = Substring(text)
    while let start = rest.firstIndex(where: { $0 == "<" || $0 == "&" }) {
      let tail = rest[start...]
      if tail.first == "&" {
        guard let entity = ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"].first(where: { tail.hasPrefix($0) }) else {
          return false
        }
        rest = tail.dropFirst(entity.count)
        continue
      }
      guard let end = tail.firstIndex(of: ">") else { return false }
      let tag = tail[tail.index(after: start)..<end]
      if tag.hasPrefix("/") {
        guard open.popLast() == tag.dropFirst() else { return false }
      } else if !tag.hasSuffix("/") {
        open.append(tag.prefix { $0 != " " })
      }
      rest = tail[tail.index(after: end)...]
    }
    return open.isEmpty
  }
}
