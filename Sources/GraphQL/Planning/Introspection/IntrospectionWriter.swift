import Bytes

/// Writes the result of an introspection field as JSON (specification, section 4): the keys of its selection sets, and
/// the values of the schema's `IntrospectionTable`.
struct IntrospectionWriter<Output: IntrospectionOutput>: ~Copyable {
  private let values: UnsafeMutablePointer<IntrospectionTable.Value>
  private let elements: UnsafeMutablePointer<IntrospectionTable.Element>
  private let text: UnsafeRawPointer
  private let steps: UnsafeMutablePointer<IntrospectionSelections.Step>
  private let sets: UnsafeMutablePointer<IntrospectionSelections.SelectionSet>
  private let keys: UnsafeRawPointer
  private let typeCount: Int

  /// Where an object was last written for each type, wrapped types included: most fields have one of a few types, of
  /// which the same fields are selected.
  private var known = PlainBuffer<Known>()

  private struct Known: BitwiseCopyable {
    var set: Int32
    var start: Int
    var length: Int
  }

  /// Writes an object of a table to `output`, and returns the output. Nil is `null`.
  static func write(
    _ row: Int?,
    of table: IntrospectionTable,
    set: Int,
    of selections: borrowing IntrospectionSelections,
    to output: Output
  ) throws(Output.Failure) -> Output {
    try table.text.withUnsafeBytes { (text) throws(Output.Failure) in
      try selections.keys.withUnsafeBytes { (keys) throws(Output.Failure) in
        guard let text = text.baseAddress, let keys = keys.baseAddress else { return output }
        var writer = IntrospectionWriter(of: table, selections, text: text, keys: keys)
        guard let row else { return writer.writeNull(to: output) }
        return try writer.writeObject(row, by: writer.sets[set].program, to: output)
      }
    }
  }

  private init(
    of table: IntrospectionTable,
    _ selections: borrowing IntrospectionSelections,
    text: UnsafeRawPointer,
    keys: UnsafeRawPointer
  ) {
    values = table.values.base
    elements = table.elements.base
    typeCount = table.typeCount
    steps = selections.steps.base
    sets = selections.sets.base
    self.text = text
    self.keys = keys
  }

  // The output is a parameter and a result, so that its count is in a register: as a property it was stored and loaded
  // again by each append.

  private mutating func writeObject(
    _ row: Int,
    by program: IntrospectionSelections.Program,
    to output: Output
  ) throws(Output.Failure) -> Output {
    try output.requireRoom()
    var output = output
    var step = steps + program.firstStep
    let end = step + program.stepCount
    while step < end {
      output.append(keys + Int(step.pointee.key.start), count: Int(step.pointee.key.length))
      let value = values[row &+ Int(step.pointee.column)]
      switch step.pointee.kind {
      case .leaf: output.append(text + Int(value.start), count: Int(value.length))
      case .object: output = try writeType(value, set: step.pointee.set, to: output)
      case .list: output = try writeList(value, by: step.pointee, to: output)
      }
      step += 1
    }
    output.append(keys + Int(program.end.start), count: Int(program.end.length))
    return output
  }

  private mutating func writeList(
    _ value: IntrospectionTable.Value,
    by step: IntrospectionSelections.Step,
    to output: Output
  ) throws(Output.Failure) -> Output {
    guard !value.isNull else { return writeNull(to: output) }
    var output = output
    output.append(UInt8(ascii: "["))
    let set = sets[Int(step.set)]
    var isFirst = true
    var element = elements + Int(value.start)
    let end = element + Int(value.length)
    while element < end {
      if step.includesDeprecated || !element.pointee.isDeprecated {
        if !isFirst { output.append(UInt8(ascii: ",")) }
        isFirst = false
        let program = element.pointee.isDeprecated ? set.deprecatedProgram : set.program
        output = try writeObject(Int(element.pointee.row), by: program, to: output)
      }
      element += 1
    }
    output.append(UInt8(ascii: "]"))
    return output
  }

  /// Writes a `__Type`, or copies it from where it was written before.
  private mutating func writeType(
    _ value: IntrospectionTable.Value,
    set: Int32,
    to output: Output
  ) throws(Output.Failure) -> Output {
    guard !value.isNull else { return writeNull(to: output) }
    if known.isEmpty { known.extend(to: typeCount, with: Known(set: -1, start: 0, length: 0)) }
    let number = Int(value.length)
    if known[number].set == set {
      try output.requireRoom()
      var output = output
      output.append(copyFrom: known[number].start, count: known[number].length)
      return output
    }
    let start = output.count
    let end = try writeObject(Int(value.start), by: sets[Int(set)].program, to: output)
    known[number] = Known(set: set, start: start, length: end.count - start)
    return end
  }

  private func writeNull(to output: Output) -> Output {
    var output = output
    output.append(text + Int(IntrospectionTable.nullText.start), count: Int(IntrospectionTable.nullText.length))
    return output
  }
}
