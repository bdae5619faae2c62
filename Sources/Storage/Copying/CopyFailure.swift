/// Why data cannot be copied, as a sentence for operators.
package struct CopyFailure: Error, CustomStringConvertible {
  package let description: String

  package init(_ description: String) { self.description = description }
}
