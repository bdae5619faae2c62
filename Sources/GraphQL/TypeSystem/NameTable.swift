/// A hash table from names to their indices in a list. It uses the hash that the lexer has already computed.
package struct NameTable: Sendable {
  private var slots: [Int32]
  private var hashes: [UInt32] = []
  private var names: [[UInt8]] = []

  /// Creates a table of a list of names. If a name occurs twice, its first index counts.
  package init(_ list: some Sequence<String>) {
    var table: [Int32] = []
    for name in list {
      names.append(Array(name.utf8))
      hashes.append(NameHash.hash(name))
    }
    var size = 4
    while size < names.count * 2 { size *= 2 }
    table = Array(repeating: -1, count: size)
    for (index, hash) in hashes.enumerated() {
      var slot = Int(hash) & (size - 1)
      while table[slot] >= 0 {
        if names[Int(table[slot])] == names[index] { break }
        slot = (slot + 1) & (size - 1)
      }
      if table[slot] < 0 { table[slot] = Int32(index) }
    }
    slots = table
  }

  /// The index of the name of a node.
  package func index(of node: NodeIndex, in document: borrowing Document) -> Int? {
    let named = document.nodes[node]
    return index(
      hash: named.nameHash,
      bytes: document.source.bytes,
      start: Int(named.nameStart),
      length: Int(named.nameLength)
    )
  }

  package func index(of name: String) -> Int? {
    let bytes = Array(name.utf8)
    return index(hash: NameHash.hash(name), bytes: bytes, start: 0, length: bytes.count)
  }

  private func index(hash: UInt32, bytes: [UInt8], start: Int, length: Int) -> Int? {
    let mask = slots.count - 1
    var slot = Int(hash) & mask
    while true {
      let index = Int(slots[slot])
      if index < 0 { return nil }
      if hashes[index] == hash, names[index].count == length,
        names[index].elementsEqual(bytes[start..<(start + length)])
      {
        return index
      }
      slot = (slot + 1) & mask
    }
  }
}
