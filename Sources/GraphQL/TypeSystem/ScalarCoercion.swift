/// The input and result coercion of a scalar (specification, section 3.5).
package struct ScalarCoercion: Sendable {
  /// Coerces an input value, which is a literal of the document (`isLiteral`) or a value of the request's JSON. `shown`
  /// returns the value as shown in messages.
  package let coerce:
    @Sendable (_ value: InputValue, _ isLiteral: Bool, _ shown: () -> String) throws(ScalarError) -> InputValue

  /// The encoding of a resolved value in a response. Nil if any JSON value is allowed.
  package let format: ColumnFormat?
  /// Whether `coerce` returns every string as it is: see `VariableCoercion.texts`.
  let acceptsAllStrings: Bool

  package init(
    format: ColumnFormat? = nil,
    _ coerce:
      @escaping @Sendable (_ value: InputValue, _ isLiteral: Bool, _ shown: () -> String) throws(ScalarError) ->
      InputValue
  ) {
    self.init(format: format, acceptsAllStrings: false, coerce)
  }

  private init(
    format: ColumnFormat? = nil,
    acceptsAllStrings: Bool,
    _ coerce:
      @escaping @Sendable (_ value: InputValue, _ isLiteral: Bool, _ shown: () -> String) throws(ScalarError) ->
      InputValue
  ) {
    self.format = format
    self.acceptsAllStrings = acceptsAllStrings
    self.coerce = coerce
  }

  /// Accepts any value, for custom scalars without a coercion of their own.
  package static let any = ScalarCoercion { value, _, _ throws(ScalarError) in value }

  /// Accepts the files of a multipart request only.
  package static func file(named name: String) -> ScalarCoercion {
    ScalarCoercion { value, _, shown throws(ScalarError) in
      guard case .upload = value else {
        throw ScalarError("\(name) must be a file of a multipart request, not \(shown())")
      }
      return value
    }
  }
}

package struct ScalarError: Error, Hashable, Sendable {
  package let message: String
  package init(_ message: String) { self.message = message }
}

extension ScalarCoercion {
  /// The built-in scalars (specification, sections 3.5.1 to 3.5.5). The messages are those of graphql-js.
  package static let builtIn: [String: ScalarCoercion] = [
    "Int": ScalarCoercion(format: .integer) { value, isLiteral, shown throws(ScalarError) in
      switch value {
      case .int(let number):
        guard Int32(exactly: number) != nil else {
          throw ScalarError("Int cannot represent non 32-bit signed integer value: \(shown())")
        }
        return value
      case .float(let number) where !isLiteral && number.rounded() == number:
        guard let whole = Int32(exactly: number) else {
          throw ScalarError("Int cannot represent non 32-bit signed integer value: \(shown())")
        }
        return .int(Int64(whole))
      case .float(let number)
      where isLiteral && abs(number) >= 0x1p63 && !shown().contains(where: { ".eE".contains($0) }):
        throw ScalarError("Int cannot represent non 32-bit signed integer value: \(shown())")
      default:
        throw ScalarError("Int cannot represent non-integer value: \(shown())")
      }
    },
    "Float": ScalarCoercion(format: .double) { value, _, shown throws(ScalarError) in
      switch value {
      case .int(let number): return .float(Double(number))
      case .float(let number) where number.isFinite: return value
      default: throw ScalarError("Float cannot represent non numeric value: \(shown())")
      }
    },
    "String": ScalarCoercion(format: .text, acceptsAllStrings: true) { value, _, shown throws(ScalarError) in
      guard case .string = value else {
        throw ScalarError("String cannot represent a non string value: \(shown())")
      }
      return value
    },
    "Boolean": ScalarCoercion(format: .boolean) { value, _, shown throws(ScalarError) in
      guard case .boolean = value else {
        throw ScalarError("Boolean cannot represent a non boolean value: \(shown())")
      }
      return value
    },
    "ID": ScalarCoercion(format: .text, acceptsAllStrings: true) { value, isLiteral, shown throws(ScalarError) in
      switch value {
      case .string: return value
      case .int: return .string(shown())
      // An integer that exceeds 64 bits is accepted as the text of an ID, and in JSON every whole number whose digits
      // are known.
      case .float where !shown().contains(where: { ".eE".contains($0) }): return .string(shown())
      default:
        throw ScalarError(
          isLiteral
            ? "ID cannot represent a non-string and non-integer value: \(shown())"
            : "ID cannot represent value: \(shown())"
        )
      }
    },
  ]
}
