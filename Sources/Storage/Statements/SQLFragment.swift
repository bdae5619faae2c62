/// A piece of SQL that names the parameters of `Parameters` by key paths. Fragments are assembled from string literals
/// and from other fragments; `SQL` gives their parameters numbers.
///
/// Immutable; `@unchecked Sendable` because key paths are not Sendable by their type, though those of stored properties
/// capture nothing.
package struct SQLFragment<Parameters>: ExpressibleByStringInterpolation, @unchecked Sendable {
  enum Piece {
    case text(String)
    /// A construct that the engines express differently.
    case dialect(DialectTexts)
    case parameter(PartialKeyPath<Parameters>, BoundParameter, DialectForm)
  }

  let pieces: [Piece]

  package init(stringLiteral text: String) { pieces = [.text(text)] }

  package init(stringInterpolation: StringInterpolation) { pieces = stringInterpolation.pieces }

  /// The parts, with the separator between them.
  package init(joining parts: [SQLFragment], separator: SQLFragment = ", ") {
    pieces = Array(parts.map(\.pieces).joined(separator: separator.pieces))
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    private(set) var pieces: [Piece] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      pieces.reserveCapacity(2 * interpolationCount + 1)
    }

    package mutating func appendLiteral(_ text: String) {
      if !text.isEmpty { pieces.append(.text(text)) }
    }

    /// A parameter.
    package mutating func appendInterpolation<Value: SQLValue>(_ name: KeyPath<Parameters, Value>) {
      append(BoundParameter(name), name: name, in: .value)
    }

    mutating func append(_ parameter: BoundParameter, name: PartialKeyPath<Parameters>, in form: DialectForm) {
      pieces.append(.parameter(name, parameter, form))
    }

    mutating func append(sqlite: String, postgreSQL: String) {
      pieces.append(.dialect(DialectTexts(sqlite: sqlite, postgreSQL: postgreSQL)))
    }

    /// A constant of the program, such as a case of an enumeration.
    package mutating func appendInterpolation(_ constant: some SQLConstant) {
      pieces.append(.text(String(constant.storedValue)))
    }

    /// Another fragment, whose parameters are parameters of this one.
    package mutating func appendInterpolation(_ fragment: SQLFragment<Parameters>) {
      pieces += fragment.pieces
    }

    /// A fragment whose parameters are a property of this one's parameters.
    package mutating func appendInterpolation<Part>(_ fragment: SQLFragment<Part>, of part: KeyPath<Parameters, Part>) {
      pieces += fragment.pieces.map { piece in
        switch piece {
        case .text(let text): return .text(text)
        case .dialect(let texts): return .dialect(texts)
        case .parameter(let name, let parameter, let form):
          guard let whole = (part as AnyKeyPath).appending(path: name) as? PartialKeyPath<Parameters> else {
            preconditionFailure("\(name) is not a property of \(part).")
          }
          return .parameter(whole, parameter.moved(by: BoundParameter.offset(of: part)), form)
        }
      }
    }

    /// Raw SQL, such as a name or a list of columns. It must never come from a request.
    package mutating func appendInterpolation(sql text: String) { appendLiteral(text) }
  }
}

extension DefaultStringInterpolation {
  /// The text of a fragment is meaningless without its parameters. Warnings are errors, so this interpolation does not
  /// compile.
  @available(*, deprecated, message: "A fragment belongs in a fragment, not in a string.")
  package mutating func appendInterpolation<Parameters>(_ fragment: SQLFragment<Parameters>) {
    appendInterpolation("\(Parameters.self)")
  }
}

/// A value that is written into a statement's text as a number.
package protocol SQLConstant {
  var storedValue: Int64 { get }
}
