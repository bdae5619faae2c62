/// The members to whom a chore is assigned, as its row holds them.
enum Assignees {
  static func bytes(of members: [GlobalID]) -> [UInt8] {
    members.map(\.rawValue).sorted().flatMap { key in withUnsafeBytes(of: key.littleEndian) { Array($0) } }
  }

  static func members(in bytes: UnsafeRawBufferPointer) -> [GlobalID] {
    (0..<(bytes.count / 8)).map { place in
      GlobalID(rawValue: Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: place * 8, as: Int64.self)))
    }
  }
}
