/// A statement with named parameters, written once as a `static let`.
///
/// `Parameters` is what a caller passes to run the statement: a tuple with labels, a structure, or a single value. The
/// text names a parameter by its key path, so that the compiler checks the name and the type, and no number appears in
/// it:
///
/// ```swift
/// static let rename = SQL<(family: GlobalID, name: String)>(
///   "UPDATE family SET name = \(\.name) WHERE id = \(\.family)"
/// )
/// try transaction.run(rename, (family: family, name: name))
/// ```
///
/// Names become numbers and offsets when the value is made, once in a process; binding looks nothing up.
@usableFromInline package struct SQL<Parameters>: Sendable {
  @usableFromInline package let statement: StatementText
  @usableFromInline let parameters: [BoundParameter]
  /// The offsets in bytes of the keys of the statement's partitions. Not an array, which would be retained.
  @usableFromInline let firstPartition: Int?
  @usableFromInline let secondPartition: Int?

  package var text: String { statement.text }

  package init(_ fragment: SQLFragment<Parameters>) {
    var text = DialectTexts("")
    var names: [PartialKeyPath<Parameters>] = []
    var parameters: [BoundParameter] = []
    var reads = StatementReads()
    for piece in fragment.pieces {
      switch piece {
      case .text(let literal):
        text += DialectTexts(literal)
        reads.rest += DialectTexts(literal)
      case .dialect(let texts):
        text += texts
        reads.rest += texts
      case .parameter(let name, let parameter, let dialectForm):
        let number: Int
        if let known = names.firstIndex(of: name) {
          number = known + 1
        } else {
          names.append(name)
          parameters.append(parameter)
          number = names.count
        }
        text += dialectForm.texts(of: number)
        if case .partition(let table, _) = dialectForm { reads.partitioned.append((table, number)) }
        // Separates the words before and after it.
        reads.rest += DialectTexts("?")
      }
    }
    statement = StatementText(text, types: parameters.map(\.type), reads: reads)
    self.parameters = parameters
    let keys = statement.partitions.map { parameters[$0.number - 1].offset }
    firstPartition = keys.first
    secondPartition = keys.count > 1 ? keys[1] : nil
  }

  /// The number of a parameter in the text; nil if the text does not contain it. For callers that bind the values one
  /// by one because a structure of all of them would cost too much.
  package func number<Value: SQLValue>(of name: KeyPath<Parameters, Value>) -> Int? {
    number(of: BoundParameter(name))
  }

  /// The same for a list of keys.
  package func number(ofKeys name: KeyPath<Parameters, [Int64]>) -> Int? {
    number(of: BoundParameter(keys: name))
  }

  private func number(of parameter: BoundParameter) -> Int? {
    parameters.firstIndex { $0.offset == parameter.offset }.map { $0 + 1 }
  }
}
