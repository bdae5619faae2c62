/// A line and a column of a document, both counted from 1.
package struct SourceLocation: Hashable, Sendable {
  package let line: Int
  package let column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}
