import Storage

/// A list of keys in one column: in ascending order, eight bytes each, little-endian.
struct KeyList: Sendable, Equatable {
  let keys: [GlobalID]

  init(_ keys: [GlobalID]) { self.keys = keys.sorted { $0.rawValue < $1.rawValue } }

  var bytes: [UInt8] {
    keys.flatMap { key in withUnsafeBytes(of: key.rawValue.littleEndian) { Array($0) } }
  }

  /// Passes each key of an encoded list to `body`, in order.
  static func forEach(in bytes: UnsafeRawBufferPointer, _ body: (GlobalID) -> Void) {
    for index in 0..<(bytes.count / 8) {
      let key = bytes.loadUnaligned(fromByteOffset: index * 8, as: Int64.self)
      body(GlobalID(rawValue: Int64(littleEndian: key)))
    }
  }
}

extension KeyList: StoredValue {
  static var sqlType: SQLType { [UInt8].sqlType }
  static var source: StoredSource { .bytes }

  func bind(to statement: Statement, at number: Int) throws(DatabaseError) {
    try bytes.bind(to: statement, at: number)
  }
}
