/// The fields of `application/x-www-form-urlencoded` text (URL Standard, section 5.1): a query or the body of a form.
/// Unlike there, malformed text is rejected.
package struct FormFields: Sendable, Equatable {
  package struct Field: Sendable, Equatable {
    package let name: String
    package let value: String
  }

  /// In the order sent. A name can occur more than once.
  package let fields: [Field]

  /// Reads at most `limit` fields.
  package init(_ text: ArraySlice<UInt8>, limit: Int = 64) throws(PercentEncodingError) {
    var fields: [Field] = []
    var start = text.startIndex
    while start < text.endIndex {
      let end = text[start...].firstIndex(of: UInt8(ascii: "&")) ?? text.endIndex
      if end > start {
        guard fields.count < limit else { throw .tooManyFields(limit: limit) }
        let equals = text[start..<end].firstIndex(of: UInt8(ascii: "=")) ?? end
        let name = try PercentEncoding.decode(text[start..<equals], plusIsSpace: true)
        let value = try PercentEncoding.decode(text[min(equals + 1, end)..<end], plusIsSpace: true)
        fields.append(Field(name: name, value: value))
      }
      start = end + 1
    }
    self.fields = fields
  }

  /// The value of the first field with a name.
  package subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
}
