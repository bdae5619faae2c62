/// A dictionary whose entries are searched in their order while they are few, and by their hashes beyond.
///
/// Most plans have a dozen selection sets and calls. Allocating dictionaries for them and hashing their keys took a
/// seventh of the time of a plan.
struct SmallDictionary<Key: Hashable, Value> {
  private var entries: [(key: Key, value: Value)] = []
  /// The indices of all entries, if there are more than `few`.
  private var indices: [Key: Int] = [:]
  private static var few: Int { 16 }

  var count: Int { entries.count }

  subscript(key: Key) -> Value? { index(of: key).map { entries[$0].value } }

  /// Returns the value of a key. Inserts `value` if the dictionary does not contain the key.
  mutating func value(of key: Key, orInsert value: Value) -> Value {
    if let index = index(of: key) { return entries[index].value }
    insert(value, for: key)
    return value
  }

  /// Inserts the value of a key that the dictionary does not contain.
  mutating func insert(_ value: Value, for key: Key) {
    if entries.isEmpty { entries.reserveCapacity(Self.few / 2) }
    entries.append((key, value))
    guard entries.count > Self.few else { return }
    let isFirst = indices.isEmpty
    for index in isFirst ? entries.indices : entries.count - 1..<entries.count { indices[entries[index].key] = index }
  }

  private func index(of key: Key) -> Int? {
    entries.count > Self.few ? indices[key] : entries.firstIndex { $0.key == key }
  }
}
