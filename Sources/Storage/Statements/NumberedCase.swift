/// An enumeration whose cases are stored as their raw values. Raw values must never change.
///
/// A case is bound when it is used as a parameter, and written into the text of the statement when it is used as a
/// constant.
package protocol NumberedCase: RawRepresentable<Int64>, SQLValue, SQLConstant {}

extension NumberedCase {
  package static var sqlType: SQLType { Int64.sqlType }
  package var storedValue: Int64 { rawValue }

  package func bind(to statement: Statement, at number: Int) throws(DatabaseError) {
    try statement.bind(rawValue, at: number)
  }
}
