/// The members to whom a chore is assigned, as its row holds them.
enum Assignees {
  static func bytes(of members: [GlobalID]) -> [UInt8] {
    members.map(\.rawValue).sorted().flatMap { key in withUnsafeBytes(of: key.littleEndian) { Array($0) } }
  }

  /// Hands each of them to `body`, in order.
  static func forEach(in bytes: UnsafeRawBufferPointer, _ body: (GlobalID) -> Void) {
    for place in 0..<(bytes.count / 8) {
      let key = bytes.loadUnaligned(fromByteOffset: place * 8, as: Int64.self)
      body(GlobalID(rawValue: Int64(littleEndian: key)))
    }
  }
}
