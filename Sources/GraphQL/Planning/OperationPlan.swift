/// The execution plan of an operation: what to load for each level, and how to write the response. Made once for a
/// document and used by every request that sends it.
package final class OperationPlan: Sendable {
  let executable: ExecutableSchema
  let operationType: OperationType
  /// The selection sets in the order of their first use. The first is the root selection set.
  let sets: [SelectionSetPlan]
  /// The fields that return objects, and the slots of the computed leaves, set after set.
  let compositeFields: [CompositeField]
  let leafSlots: [Int]
  let fields: [FieldPlan]
  /// The calls that return objects and the calls that return leaves, each indexed by slot.
  let loads: [FieldCall]
  let leaves: [FieldCall]
  /// The instructions of the response writer for each field, set after set. They are trivial values, so reading them
  /// for hundreds of objects does no reference counting.
  let operations: [WriteOperation]
  /// The response keys as JSON, each with a preceding comma and a colon: `,"name":` (the first key of a set has no
  /// comma). Also all other bytes that are known when the plan is made. They are between `{"data":{` and `}}`, so the
  /// constants of a plan whose fields are all constant are its response.
  let constants: [UInt8]
  /// The ranges of the enum value names in `constants`, enum after enum.
  let enumerationNames: [ConstantRange]
  /// For each field of abstract type, the set for each type of the schema, or -1 if the field cannot return that type.
  let setsByType: [Int32]
  /// The introspection fields below which fields fail.
  let partialIntrospections: [PartialIntrospection]
  /// The columns that the plan reads, as a bit mask for each type of the schema.
  let columns: [UInt64]
  /// The number of calls whose arguments depend on variables.
  let dynamicArgumentCount: Int
  /// Whether the cost depends on the variables of a request.
  let costDependsOnVariables: Bool
  /// The fields whose number of slicing arguments must be checked.
  let slicedFields: [FieldPlan]
  /// Whether the plan is valid only for the variables that it was made with: it contains the results of introspection
  /// fields whose arguments depend on variables.
  let dependsOnVariables: Bool
  /// Whether any resolver is asynchronous.
  let isAsync: Bool
  /// The complete response, if it depends only on the schema.
  let constantResponse: [UInt8]?
  /// What is delivered after the initial response. Nil if the response is complete.
  let incremental: IncrementalPlan?

  /// - Parameters:
  ///   - planner: has planned all selection sets.
  ///   - calls: made of the planner's drafts.
  init(_ planner: borrowing Planner, operationType: OperationType, calls: FieldCallDrafts.FinishedCalls) {
    // For the closures below, which cannot capture `self` before it is complete.
    let (fields, operations, constants) = (planner.fields, planner.operations, planner.constants)
    let (loads, leaves) = (calls.objects, calls.leaves)
    let dependsOnVariables = planner.dependsOnVariables
    executable = planner.executable
    self.operationType = operationType
    sets = planner.sets
    compositeFields = planner.compositeFields
    leafSlots = planner.leafSlots
    self.fields = fields
    self.loads = loads
    self.leaves = leaves
    self.operations = operations
    self.constants = constants
    enumerationNames = planner.enumerationNames
    setsByType = planner.setsByType
    partialIntrospections = planner.partialIntrospections
    columns = planner.columns
    dynamicArgumentCount = calls.dynamicArgumentCount
    self.dependsOnVariables = dependsOnVariables
    incremental = planner.incremental?.isEmpty == true ? nil : planner.incremental
    isAsync = loads.contains(where: \.isAsync) || leaves.contains(where: \.isAsync)
    let isConstant = operationType == .query && !dependsOnVariables && operations.allSatisfy { $0.kind == .constant }
    constantResponse = isConstant ? constants : nil
    slicedFields = fields.filter { field in
      switch field.call {
      case .objects(let slot): loads[slot].field.weights.needsOneSlicingArgument
      case .leaf(let slot): leaves[slot].field.weights.needsOneSlicingArgument
      case .stored, nil: false
      }
    }
    // A stored leaf has no arguments.
    costDependsOnVariables =
      loads.contains(where: \.costDependsOnVariables) || leaves.contains(where: \.costDependsOnVariables)
  }

  var schema: Schema { executable.schema }
  var weights: SchemaWeights { executable.weights }

  /// Whether responses differ between callers of equal visibility (`FieldBinding.leaf`).
  var dependsOnCaller: Bool { leaves.contains(where: \.binding.dependsOnCaller) }

  /// Nil for fields without a resolver: leaves in a column, and constant results such as that of `__typename`.
  func call(of field: FieldPlan) -> FieldCall? {
    switch field.call {
    case .objects(let slot): loads[slot]
    case .leaf(let slot): leaves[slot]
    case .stored, nil: nil
    }
  }

  /// The field of the schema. Nil for `__typename` and other constant results.
  func boundField(of field: FieldPlan) -> BoundField? {
    switch field.call {
    case .objects(let slot): loads[slot].field
    case .leaf(let slot): leaves[slot].field
    case .stored(let index, _): executable.fields[index]
    case nil: nil
    }
  }

  func responseKey(of field: FieldPlan) -> String {
    let start = Int(field.responseKey.start)
    return String(decoding: constants[start..<start + Int(field.responseKey.length)], as: UTF8.self)
  }

  /// `Type.field`. A constant result cannot fail, so its response key is enough.
  func coordinate(of field: Int) -> String {
    boundField(of: fields[field])?.coordinate ?? responseKey(of: fields[field])
  }

  /// The approximate size in memory, for caches.
  var byteCount: Int {
    fields.count * 240 + operations.count * MemoryLayout<WriteOperation>.stride + constants.count
      + setsByType.count * 4 + sets.count * 120
  }
}

/// A range of a plan's constants.
struct ConstantRange: Sendable {
  let start: Int32
  let length: Int32
}

/// A selection set on an object type, its fields collected and merged (specification, section 6.3.2). Ranges of the
/// plan's lists: a plan can have hundreds of sets, and few of them have fields.
struct SelectionSetPlan: Sendable {
  /// The type of its objects. The set of objects of which nothing is selected is shared by several types, of which this
  /// is one.
  let type: TypeID
  /// The range of its instructions in the plan's operations.
  let operations: Range<Int>
  /// The range of the fields that return objects in the plan's composite fields.
  let composite: Range<Int>
  /// The range of the slots of its computed leaves in the plan's leaf slots.
  let leaves: Range<Int>
}

/// A field of a selection set that returns objects.
struct CompositeField: Sendable {
  /// The index in `OperationPlan.fields`.
  let field: Int
  /// The slot of the call.
  let load: Int
  let sets: SetChoice
}

/// The selection set for an object, by the object's type.
enum SetChoice: Sendable {
  /// The field returns objects of this type only.
  case one(type: Int, set: Int)
  /// The start of the field's range in `OperationPlan.setsByType`.
  case byType(start: Int)
  /// The index of a list with `@stream` in `IncrementalPlan.streams`.
  case streamed(Int)
}

/// A field of a planned selection set: its response key, and its nodes in the document.
struct FieldPlan: Sendable {
  /// The range of the response key in `OperationPlan.constants`.
  let responseKey: ConstantRange
  let type: TypeReference
  /// The nodes with this response key. The arguments are those of the first node.
  let nodes: NodeList
  /// Nil for `__typename` and other constant results.
  let call: FieldCallReference?
  /// `BoundField.namePosition`. Nil for meta-fields.
  let namePosition: Int?
}

/// A reference to the call of a field.
enum FieldCallReference: Sendable {
  /// The slot among the calls that return objects.
  case objects(Int)
  /// The slot among the calls that return computed leaves.
  case leaf(Int)
  /// A leaf in a column of the row, for which nothing is called. `field` is the index in `ExecutableSchema.fields`.
  case stored(field: Int, column: Int)
}

/// An instruction of the response writer: how to write one field of an object.
struct WriteOperation: Sendable {
  enum Kind: UInt8, Sendable {
    /// Bytes that are known when the plan is made, such as the result of `__typename`.
    case constant
    /// An introspection field below which fields fail.
    case partialIntrospection
    /// `int32` is checked to fit in 32 bits (the type `Int`), `integer` is not.
    case text, int32, integer, double, boolean, dateTime, enumeration
    /// A list of leaves, or a custom scalar without a `ColumnFormat`.
    case leafValue
    /// Objects of one object type, or of an abstract type.
    case objects, abstractObjects
    /// A list of objects with `@stream`.
    case streamedObjects
    /// What the object defers. Writes nothing.
    case deferral
  }
  let kind: Kind
  /// Whether the cell is stored among the call's leaves instead of in the object's row.
  let isComputed: Bool
  /// Whether the field's type is nullable.
  let isNullable: Bool
  /// Whether the field adds nothing to the cost of an operation.
  let isFree: Bool
  /// For objects: the `TypeReference.wrappers` of the field's type.
  let wrappers: UInt32
  /// The column of the row, or the slot of the call.
  let source: Int32
  let key: ConstantRange
  /// The index in `OperationPlan.fields`.
  let field: Int32
  /// Read by the properties below, since its meaning depends on the kind. Not an enum with payloads: for each field of
  /// each object, the response writer would check its case after it has checked the kind.
  private let operand: ConstantRange

  init(
    kind: Kind,
    isComputed: Bool,
    isNullable: Bool,
    isFree: Bool,
    wrappers: UInt32,
    source: Int32,
    key: ConstantRange,
    field: Int32,
    operand: ConstantRange
  ) {
    self.kind = kind
    self.isComputed = isComputed
    self.isNullable = isNullable
    self.isFree = isFree
    self.wrappers = wrappers
    self.source = source
    self.key = key
    self.field = field
    self.operand = operand
  }

  /// For `constant`: the range of its bytes.
  @inline(__always) var constant: ConstantRange { operand }
  /// For `enumeration`: the range of the enum's names in `OperationPlan.enumerationNames`.
  @inline(__always) var enumerationNames: ConstantRange { operand }
  /// For `objects`: the selection set.
  @inline(__always) var set: Int { Int(operand.start) }
  /// For `abstractObjects`: the start of the field's range in `OperationPlan.setsByType`.
  @inline(__always) var setsByTypeStart: Int { Int(operand.start) }
  /// For `streamedObjects`: the index in `IncrementalPlan.streams`.
  @inline(__always) var stream: Int { Int(operand.start) }
  /// For `deferral`: the index in `IncrementalPlan.deferrals`.
  @inline(__always) var deferral: Int { Int(operand.start) }
  /// For `partialIntrospection`: the index in `OperationPlan.partialIntrospections`.
  @inline(__always) var partialIntrospection: Int { Int(operand.start) }

  /// Whether the instruction writes a meta-field, and reads no cell.
  @inline(__always) var isMetaField: Bool { kind.rawValue <= Kind.partialIntrospection.rawValue }
  /// Whether the instruction refers to objects.
  @inline(__always) var givesObjects: Bool { kind.rawValue >= Kind.objects.rawValue }
  /// Whether the instruction refers to objects that are delivered later.
  @inline(__always) var isIncremental: Bool { kind.rawValue > Kind.abstractObjects.rawValue }
}
