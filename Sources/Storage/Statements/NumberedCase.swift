/// An enumeration whose cases are stored as their raw values, which therefore never change.
///
/// As a parameter a case is bound; as a constant it is written into the statement's text.
package protocol NumberedCase: RawRepresentable<Int64>, SQLValue, SQLConstant {}

extension NumberedCase {
  package static var sqlType: SQLType { Int64.sqlType }
  package var storedValue: Int64 { rawValue }

  package func bind(to statement: Statement, at number: Int) throws(DatabaseError) {
    try statement.bind(number, rawValue)
  }
}
