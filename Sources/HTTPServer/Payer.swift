/// The network, the person or the family that is charged for what a request costs: the bytes that are buffered for it,
/// in addition to the connection, and the time that it takes on the loop.
package struct Payer: Hashable, Sendable {
  package enum Kind: Sendable { case network, person, family }

  package let kind: Kind
  /// Identifies the payer among those of its kind.
  package let key: UInt64

  package init(_ kind: Kind, key: UInt64) {
    self.kind = kind
    self.key = key
  }

  package init(person: Int64) { self.init(.person, key: UInt64(bitPattern: person)) }

  package init(family: Int64) { self.init(.family, key: UInt64(bitPattern: family)) }
}
