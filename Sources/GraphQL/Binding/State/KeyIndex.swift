/// Which row of a table holds the object with a key: an open table of rows, whose keys lie in the rows themselves.
struct KeyIndex: ~Copyable {
  private static let smallest = 16
  private var slots = PlainBuffer<Int32>()
  private var count = 0

  func row(of key: Int64, among keys: borrowing PlainBuffer<Int64>) -> Int? {
    guard count > 0 else { return nil }
    let mask = slots.count &- 1
    var slot = Self.hash(key) & mask
    while true {
      let row = slots[slot]
      if row < 0 { return nil }
      if keys[Int(row)] == key { return Int(row) }
      slot = (slot &+ 1) & mask
    }
  }

  /// Adds a key that is not there; its row is already among `keys`.
  mutating func insert(_ row: Int, among keys: borrowing PlainBuffer<Int64>) {
    if slots.isEmpty { slots.extend(to: Self.smallest, with: -1) }
    if (count &+ 1) * 2 > slots.count { grow(among: keys) }
    store(row: Int32(truncatingIfNeeded: row), key: keys[row])
    count &+= 1
  }

  /// Small again, so that clearing after a large request costs the next one nothing.
  mutating func removeAll() {
    guard count > 0 else { return }
    count = 0
    slots.removeAll()
  }

  private mutating func grow(among keys: borrowing PlainBuffer<Int64>) {
    var rows = PlainBuffer<Int32>()
    for slot in slots.indices where slots[slot] >= 0 { rows.append(slots[slot]) }
    let size = slots.count * 2
    slots.removeAll()
    slots.extend(to: size, with: -1)
    for index in rows.indices { store(row: rows[index], key: keys[Int(rows[index])]) }
  }

  private mutating func store(row: Int32, key: Int64) {
    let mask = slots.count &- 1
    var slot = Self.hash(key) & mask
    while slots[slot] >= 0 { slot = (slot &+ 1) & mask }
    slots[slot] = row
  }

  /// Keys are the server's own, so their hash need not be secret.
  private static func hash(_ key: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 32)
  }
}
