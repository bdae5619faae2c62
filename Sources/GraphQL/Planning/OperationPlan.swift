/// An operation, worked out against the schema: what to load for each level, and how to write the answer. Made once for
/// a document and used by every request that sends it.
package final class OperationPlan: Sendable {
  let schema: Schema
  let operationType: OperationType
  /// Every selection set in the order of its first use: the root's is the first.
  let sets: [SelectionSetPlan]
  let fields: [FieldPlan]
  /// The calls that give objects, and those that give leaves, each by its slot.
  let loads: [FieldCall]
  let leaves: [FieldCall]
  /// What the writer does for each field of each set, set after set. Plain numbers, so that walking it for hundreds of
  /// objects touches no reference count.
  let operations: [WriteOperation]
  /// The response keys as JSON, each with a comma before and a colon after: `,"name":` (a set's first leaves out the
  /// comma), and whatever else is known when the plan is made.
  let constants: [UInt8]
  /// Where in `constants` the names of enum values lie, enum after enum.
  let enumerationNames: [ConstantRange]
  /// For fields of abstract types: the set for each type of the schema, -1 where the field cannot give that type.
  let setsByType: [Int32]
  /// For each type of the schema, the columns that the plan reads.
  let columns: [UInt64]
  /// How many calls have arguments that hang on variables.
  let dynamicArgumentCount: Int
  let weights: SchemaWeights
  /// Whether what it costs is only known with a request's variables.
  let costDependsOnVariables: Bool
  /// Those that may have been given too few or too many slicing arguments.
  let slicedFields: [FieldPlan]
  /// Whether the plan was made for certain variables and is good for no others: introspection asked for with variables
  /// is answered in the plan.
  let dependsOnVariables: Bool
  /// Whether any of its calls takes waiting.
  let isAsync: Bool
  /// The whole answer, where it hangs on nothing but the schema.
  let constantResponse: [UInt8]?

  init(
    executable: ExecutableSchema,
    operationType: OperationType,
    sets: [SelectionSetPlan],
    fields: [FieldPlan],
    loads: [FieldCall],
    leaves: [FieldCall],
    operations: [WriteOperation],
    constants: [UInt8],
    enumerationNames: [ConstantRange],
    setsByType: [Int32],
    columns: [UInt64],
    dynamicArgumentCount: Int,
    dependsOnVariables: Bool
  ) {
    schema = executable.schema
    self.operationType = operationType
    self.sets = sets
    self.fields = fields
    self.loads = loads
    self.leaves = leaves
    self.operations = operations
    self.constants = constants
    self.enumerationNames = enumerationNames
    self.setsByType = setsByType
    self.columns = columns
    self.dynamicArgumentCount = dynamicArgumentCount
    self.dependsOnVariables = dependsOnVariables
    isAsync = loads.contains(where: \.isAsync) || leaves.contains(where: \.isAsync)
    let isConstant = operationType == .query && !dependsOnVariables && operations.allSatisfy { $0.kind == .constant }
    constantResponse = isConstant ? Self.answer(of: operations, constants) : nil
    weights = executable.weights
    slicedFields = fields.filter { $0.call?.weights.needsOneSlicingArgument ?? false }
    costDependsOnVariables = fields.contains { field in
      field.call.map { $0.weights.dependOnArguments && $0.arguments.isDynamic } ?? false
    }
  }

  private static func answer(of operations: [WriteOperation], _ constants: [UInt8]) -> [UInt8] {
    let fields = operations.flatMap { operation in
      [operation.key, operation.extra].flatMap { constants[Int($0.start)..<Int($0.start + $0.length)] }
    }
    return Array("{\"data\":{".utf8) + fields + Array("}}".utf8)
  }

  /// About how many bytes it takes, for caches to count.
  var byteCount: Int {
    fields.count * 240 + operations.count * MemoryLayout<WriteOperation>.stride + constants.count
      + setsByType.count * 4 + sets.count * 120
  }
}

/// A part of a plan's constants.
struct ConstantRange: Sendable {
  let start: Int32
  let length: Int32
}

/// A selection set on one object type, its fields collected and merged (specification, section 6.3.2).
struct SelectionSetPlan: Sendable {
  let type: TypeID
  /// Its part of the plan's operations.
  let operations: Range<Int>
  /// Its fields that give objects.
  let composite: [CompositeField]
  /// The slots of its fields that are made by a closure.
  let leaves: [Int]
}

/// A field of a selection set that gives objects.
struct CompositeField: Sendable {
  /// Its place in `OperationPlan.fields`.
  let field: Int
  /// The slot of its call.
  let load: Int
  let sets: SetChoice
}

/// Which selection set is asked of an object, by its type.
enum SetChoice: Sendable {
  /// The field gives objects of this type only.
  case one(type: Int, set: Int)
  /// The place in `OperationPlan.setsByType` at which its types begin.
  case byType(start: Int)
}

/// A field of a planned selection set: how it is asked for, and where in the document.
final class FieldPlan: Sendable {
  let responseKey: String
  let type: TypeReference
  /// The nodes that ask for it under this key; the arguments are those of the first.
  let nodes: [NodeIndex]
  /// nil for `__typename`.
  let call: FieldCall?
  let coordinate: String

  init(responseKey: String, type: TypeReference, nodes: [NodeIndex], call: FieldCall?, coordinate: String) {
    self.responseKey = responseKey
    self.type = type
    self.nodes = nodes
    self.call = call
    self.coordinate = coordinate
  }
}

/// How one field of one object is written.
struct WriteOperation: Sendable {
  enum Kind: UInt8, Sendable {
    /// Bytes known when the plan was made: `__typename`.
    case constant
    /// `int32` is checked to be one (`Int`), `integer` is any.
    case text, int32, integer, double, boolean, dateTime, enumeration
    /// A list of leaves, or a custom scalar of no fixed form.
    case leafValue
    /// One object type, or several.
    case objects, abstractObjects
  }
  let kind: Kind
  /// The cell is not in the object's row but among the call's leaves.
  let isComputed: Bool
  /// Whether null may stand here.
  let isNullable: Bool
  /// For objects: `TypeReference.wrappers` of the field's type.
  let wrappers: UInt32
  /// The row's column, or the slot of the call.
  let source: Int32
  let key: ConstantRange
  /// Its place in `OperationPlan.fields`.
  let field: Int32
  /// For constants: where they lie. For enums: the place of the first of the names, and how many there are. For
  /// objects: the set, or where in `OperationPlan.setsByType` the sets begin.
  let extra: ConstantRange

  var givesObjects: Bool { kind == .objects || kind == .abstractObjects }
}
