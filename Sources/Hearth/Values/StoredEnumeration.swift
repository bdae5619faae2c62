import Storage

/// An enum of the schema that is stored as the index of its case. New cases must be added at the end.
package protocol StoredEnumeration: RawRepresentable<String>, CaseIterable, StoredValue, SQLConstant
where AllCases == [Self] {}

extension StoredEnumeration {
  var stored: Int64 { Int64(Self.allCases.firstIndex { $0.rawValue == rawValue } ?? 0) }

  init?(stored: Int64) {
    guard Self.allCases.indices.contains(Int(stored)) else { return nil }
    self = Self.allCases[Int(stored)]
  }
}
