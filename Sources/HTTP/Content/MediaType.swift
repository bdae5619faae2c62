/// `type "/" subtype *( ";" name "=" value )` (RFC 9110, section 8.3.1), as Content-Type has it.
package struct MediaType: Sendable, Equatable {
  package struct Parameter: Sendable, Equatable {
    /// In lower case.
    package let name: String
    /// As sent, without quotation marks and escapes.
    package let value: String
  }

  /// In lower case, as is the subtype.
  package let type: String
  package let subtype: String
  package let parameters: [Parameter]

  /// A media type with more parameters is treated as malformed.
  package static let maximumParameters = 16

  /// Nil if the text is malformed or a parameter is repeated, because recipients differ on which one applies.
  package init?(_ text: ArraySlice<UInt8>) {
    let parsed = text.withUnsafeBytes { bytes -> MediaType? in
      var reader = FieldValueReader(bytes.trimmed)
      guard let parsed = MediaType(from: &reader), reader.isAtEnd else { return nil }
      return parsed
    }
    guard let parsed else { return nil }
    self = parsed
  }

  package init?(_ text: String) { self.init(ArraySlice(text.utf8)) }

  /// Parses a media type from the reader's current position. The reader stops at the first byte after it.
  init?(from reader: inout FieldValueReader) {
    guard let type = reader.takeToken(), reader.take(UInt8(ascii: "/")), let subtype = reader.takeToken() else {
      return nil
    }
    var parameters: [Parameter] = []
    reader.skipWhitespace()
    while reader.take(UInt8(ascii: ";")) {
      reader.skipWhitespace()
      guard let name = reader.takeToken() else { continue }
      guard reader.take(UInt8(ascii: "=")), let value = reader.takeWord() else { return nil }
      let parameter = Parameter(name: name.lowercasedText, value: value)
      guard parameters.count < Self.maximumParameters, !parameters.contains(where: { $0.name == parameter.name }) else {
        return nil
      }
      parameters.append(parameter)
      reader.skipWhitespace()
    }
    self.type = type.lowercasedText
    self.subtype = subtype.lowercasedText
    self.parameters = parameters
  }

  /// `type` and `subtype` must be in lower case.
  init(type: String, subtype: String, parameters: [Parameter]) {
    self.type = type
    self.subtype = subtype
    self.parameters = parameters
  }

  /// The type and subtype alone, as in `application/json`.
  package var essence: String { "\(type)/\(subtype)" }

  /// The value of a parameter. The name must be in lower case.
  package subscript(parameter: String) -> String? { parameters.first { $0.name == parameter }?.value }
}
