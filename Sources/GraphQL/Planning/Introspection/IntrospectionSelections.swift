import Bytes

/// The selection sets of an introspection field, each collected and merged (specification, section 6.3.2), as
/// instructions that write an object. Prepared once, so that writing hundreds of types does not access the document.
struct IntrospectionSelections: ~Copyable {
  /// Bytes of `keys`.
  struct Text: BitwiseCopyable, Sendable {
    var start: UInt32 = 0
    var length: UInt32 = 0
  }

  /// An instruction that writes a field.
  struct Step: BitwiseCopyable, Sendable {
    enum Kind: UInt8, Sendable { case leaf, object, list }
    let kind: Kind
    /// Whether a list includes deprecated elements.
    let includesDeprecated: Bool
    /// The index of the field in its introspection type.
    let column: Int32
    /// The selection set of an object or of the elements of a list.
    let set: Int32
    /// What precedes the value: the key with its punctuation, and fields whose value is known, such as `__typename`.
    var key = Text()
  }

  /// The instructions that write an object.
  struct Program: BitwiseCopyable, Sendable {
    let firstStep: Int
    let stepCount: Int
    /// What follows the last value.
    let end: Text
  }

  struct SelectionSet: BitwiseCopyable, Sendable {
    /// For objects that are not deprecated. Nearly all are not, and some of their values are known: two of the six that
    /// the introspection query selects of a field.
    let program: Program
    let deprecatedProgram: Program
    /// The levels of nested selection sets, this one included.
    let height: Int
  }

  /// A field of a selection set.
  struct Field {
    let responseKey: String
    /// Nil for `__typename`.
    let step: Step?
    /// The value of `__typename`, or the value in objects that are not deprecated, if it is the same in all of them.
    let constant: String?
  }

  private(set) var keys = ByteBuffer(capacity: 1024)
  private(set) var steps = PlainBuffer<Step>()
  private(set) var sets = PlainBuffer<SelectionSet>()

  /// Adds a selection set, and returns its index. The selection sets of its fields must have been added.
  mutating func append(_ fields: [Field]) -> Int {
    var height = 1
    var hasDeprecation = false
    for field in fields {
      guard let step = field.step else { continue }
      if step.kind != .leaf { height = max(height, sets[Int(step.set)].height + 1) }
      if field.constant != nil { hasDeprecation = true }
    }
    let program = program(for: fields, isDeprecated: false)
    let deprecatedProgram = hasDeprecation ? self.program(for: fields, isDeprecated: true) : program
    sets.append(SelectionSet(program: program, deprecatedProgram: deprecatedProgram, height: height))
    return sets.count - 1
  }

  private mutating func program(for fields: [Field], isDeprecated: Bool) -> Program {
    let firstStep = steps.count
    var start = keys.count
    keys.append(UInt8(ascii: "{"))
    for (index, field) in fields.enumerated() {
      if index > 0 { keys.append(UInt8(ascii: ",")) }
      // A response key is a Name, which never needs escaping.
      keys.append(UInt8(ascii: "\""))
      keys.append(field.responseKey)
      keys.append("\":")
      if var step = field.step, isDeprecated || field.constant == nil {
        step.key = text(from: start)
        steps.append(step)
        start = keys.count
      } else if let constant = field.constant {
        keys.append(constant)
      }
    }
    keys.append(UInt8(ascii: "}"))
    return Program(firstStep: firstStep, stepCount: steps.count - firstStep, end: text(from: start))
  }

  private func text(from start: Int) -> Text {
    Text(start: UInt32(start), length: UInt32(keys.count - start))
  }

  /// Makes room after the keys, so that more than a key can be read.
  mutating func finish() { keys.reserve(IntrospectionTable.padding) }
}
