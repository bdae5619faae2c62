extension UserError {
  /// A value in a message, so that apps can translate it.
  struct Parameter: Hashable, Sendable {
    let name: String
    let value: String
  }

  /// A sentence, and the values in it. Its text consists of literals and of values with a name: no other text can be
  /// inserted, so every value in a message is one of its parameters.
  struct Message: Hashable, Sendable, ExpressibleByStringInterpolation {
    let text: String
    let parameters: [Parameter]

    init(stringLiteral value: StaticString) {
      text = "\(value)"
      parameters = []
    }

    init(stringInterpolation: StringInterpolation) {
      text = stringInterpolation.text
      parameters = stringInterpolation.parameters
    }

    struct StringInterpolation: StringInterpolationProtocol {
      fileprivate var text = ""
      fileprivate var parameters: [Parameter] = []

      init(literalCapacity: Int, interpolationCount: Int) {
        text.reserveCapacity(literalCapacity + 8 * interpolationCount)
      }

      mutating func appendLiteral(_ literal: StaticString) { text += "\(literal)" }

      /// Words of the source code, such as "A name". They are no parameter: the error's field tells the same.
      mutating func appendInterpolation(words: StaticString) { appendLiteral(words) }

      mutating func appendInterpolation(_ value: String, as name: StaticString) {
        text += value
        parameters.append(Parameter(name: "\(name)", value: value))
      }

      mutating func appendInterpolation(_ value: some BinaryInteger, as name: StaticString) {
        appendInterpolation("\(value)", as: name)
      }

      mutating func appendInterpolation(minimum: some BinaryInteger) { appendInterpolation(minimum, as: "minimum") }
      mutating func appendInterpolation(maximum: some BinaryInteger) { appendInterpolation(maximum, as: "maximum") }

      /// "a day" or "3 days".
      mutating func appendInterpolation(days: Int64) {
        text += days == 1 ? "a day" : "\(days) days"
        parameters.append(Parameter(name: "days", value: "\(days)"))
      }
    }
  }
}
