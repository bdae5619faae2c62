/// A hash table of all names in a schema. The key of an entry is the owner of the name and the hash of the name.
struct MemberTable: Sendable {
  /// The owner of a name: the types of the schema, its directives, or one type, field or directive.
  struct Owner: Sendable {
    let key: UInt32

    static let types = Owner(key: 0)
    static let directives = Owner(key: 1)
    @inline(__always)
    static func type(_ index: Int) -> Owner { Owner(key: UInt32(truncatingIfNeeded: index) << 2 | 2) }
    @inline(__always)
    static func field(_ index: Int) -> Owner { Owner(key: UInt32(truncatingIfNeeded: index) << 2 | 3) }
    @inline(__always)
    static func directive(_ index: Int) -> Owner { Owner(key: (UInt32(truncatingIfNeeded: index) &+ 1) << 2 | 1) }
  }

  private struct Entry {
    var owner: UInt32 = 0
    var hash: UInt32 = 0
    /// The index that was inserted for the name, or -1 if the slot is free.
    var index: Int32 = -1
    var nameStart: UInt32 = 0
    var nameLength: UInt32 = 0
  }

  private var slots: [Entry]
  private let mask: UInt32
  private var names: [UInt8] = []

  init(capacity: Int) {
    var size = 16
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: Entry(), count: size)
    mask = UInt32(size - 1)
  }

  /// Inserts a name. If an owner has a name twice, the first index counts.
  mutating func insert(_ name: String, at index: Int, of owner: Owner) {
    let hash = NameHash.hash(name)
    var slot = Self.slot(hash, owner: owner) & mask
    while slots[Int(slot)].index >= 0 { slot = (slot &+ 1) & mask }
    slots[Int(slot)] = Entry(
      owner: owner.key,
      hash: hash,
      index: Int32(index),
      nameStart: UInt32(names.count),
      nameLength: UInt32(name.utf8.count)
    )
    names += name.utf8
  }

  @inline(__always)
  private static func slot(_ hash: UInt32, owner: Owner) -> UInt32 { hash ^ (owner.key &* 0x9E37_79B1) }

  /// The index of the element with the name of a node, or -1.
  @inline(__always)
  func index(of name: Node, _ bytes: [UInt8], in owner: Owner) -> Int {
    var slot = Self.slot(name.nameHash, owner: owner) & mask
    while true {
      let entry = slots[Int(slot)]
      if entry.index < 0 { return SchemaIndex.none }
      if entry.hash == name.nameHash, entry.owner == owner.key, entry.nameLength == name.nameLength,
        isSame(entry, name: name, bytes: bytes)
      {
        return Int(entry.index)
      }
      slot = (slot &+ 1) & mask
    }
  }

  @inline(__always)
  private func isSame(_ entry: Entry, name: Node, bytes: [UInt8]) -> Bool {
    let (known, given) = (Int(entry.nameStart), Int(name.nameStart))
    for offset in 0..<Int(entry.nameLength) where names[known &+ offset] != bytes[given &+ offset] { return false }
    return true
  }
}

/// The possible object types of each composite type, as bit sets.
struct PossibleTypeSets: Sendable {
  private let words: Int
  private let bits: [UInt64]

  init(_ types: [TypeDefinition]) {
    words = (types.count + 63) / 64
    var bits = Array(repeating: UInt64(0), count: words * types.count)
    for (index, type) in types.enumerated() {
      for object in type.possibleTypes { bits[index * words + object.index / 64] |= 1 << UInt64(object.index % 64) }
    }
    self.bits = bits
  }

  func intersect(_ one: Int, _ other: Int) -> Bool {
    for word in 0..<words where bits[one * words + word] & bits[other * words + word] != 0 { return true }
    return false
  }
}
