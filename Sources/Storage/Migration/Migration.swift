/// One step of the schema's history. Once it has been released its text never changes: what follows is a new migration.
package struct Migration: Sendable {
  /// From 1, without gaps.
  package let number: Int
  package let name: String
  /// Statements that take no parameters and do not begin or end a transaction.
  package let sql: String

  package init(_ number: Int, _ name: String, sql: String) {
    self.number = number
    self.name = name
    self.sql = sql
  }

  /// FNV-1a, 64 bits: it must be the same in every process, which `Hasher` is not, and has no enemy to withstand.
  var checksum: Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in sql.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return Int64(bitPattern: hash)
  }
}
