/// What a write is about: the keys of the families, people or groups whose rows it reads and changes. Writes of the
/// same domain that have conflicted are executed one after the other.
package struct WriteDomain: Sendable {
  let keys: [Int64]

  package init(_ keys: Int64...) { self.init(keys) }

  package init(_ keys: [Int64]) { self.keys = Array(Set(keys)).sorted() }
}
