/// An operation, worked out against the schema: what to load for each level, and how to write the answer. Made once for
/// a document and used by every request that sends it.
package final class OperationPlan: Sendable {
  let schema: Schema
  let operationType: OperationType
  /// Every selection set in the order of its first use: the root's is the first.
  let sets: [SelectionSetPlan]
  let fields: [FieldPlan]
  /// What the writer does for each field of each set, set after set. Plain numbers, so that walking it for hundreds of
  /// objects touches no reference count.
  let operations: [WriteOperation]
  /// The response keys as JSON, each with a comma before and a colon after: `,"name":`. A set's first leaves out the comma.
  let keyBytes: [UInt8]
  /// Names of enum values as JSON, by enum column met.
  let enumerations: [[[UInt8]]]
  /// For each type of the schema, the columns that the plan reads.
  let columns: [UInt64]
  let runCount: Int
  let leafCount: Int
  let hasArguments: Bool
  /// Whether the plan was made for certain variables and is good for no others: introspection asked for with variables
  /// is answered in the plan.
  let dependsOnVariables: Bool

  init(
    schema: Schema, operationType: OperationType, sets: [SelectionSetPlan], fields: [FieldPlan], operations: [WriteOperation],
    keyBytes: [UInt8], enumerations: [[[UInt8]]], columns: [UInt64], runCount: Int, leafCount: Int,
    dependsOnVariables: Bool
  ) {
    self.schema = schema
    self.operationType = operationType
    self.sets = sets
    self.fields = fields
    self.operations = operations
    self.keyBytes = keyBytes
    self.enumerations = enumerations
    self.columns = columns
    self.runCount = runCount
    self.leafCount = leafCount
    self.dependsOnVariables = dependsOnVariables
    hasArguments = fields.contains { $0.arguments.isDynamic }
  }
}

/// A selection set on one object type, its fields collected and merged (specification, section 6.3.2).
struct SelectionSetPlan: Sendable {
  let type: TypeID
  /// Its part of the plan's operations.
  let operations: Range<Int>
  /// Its fields that give objects, by their place in `OperationPlan.fields`.
  let compositeFields: [Int]
  /// Its fields that are made by a closure.
  let computedFields: [Int]
}

/// A field of a planned selection set.
final class FieldPlan: Sendable {
  let responseKey: String
  let parentType: TypeID
  let name: String
  let type: TypeReference
  /// Every place of the document that asks for it under this key.
  let locations: [SourceLocation]
  let arguments: ArgumentPlan
  let binding: FieldBinding
  /// Where the field's values go: the number of its token runs, or of its computed leaves.
  let slot: Int
  /// For fields of object types: the set for each type that the field may give. An index for each type of the schema, -1
  /// where it cannot be.
  let sets: [Int32]
  /// The names of the fields asked of what it gives, for loaders that can save work by knowing.
  let selected: Set<String>
  let coordinate: String

  init(
    responseKey: String, parentType: TypeID, name: String, type: TypeReference, locations: [SourceLocation],
    arguments: ArgumentPlan, binding: FieldBinding, slot: Int, sets: [Int32], selected: Set<String>, coordinate: String
  ) {
    self.responseKey = responseKey
    self.parentType = parentType
    self.name = name
    self.type = type
    self.locations = locations
    self.arguments = arguments
    self.binding = binding
    self.slot = slot
    self.sets = sets
    self.selected = selected
    self.coordinate = coordinate
  }
}

/// How one field of one object is written.
struct WriteOperation: Sendable {
  enum Kind: UInt8, Sendable {
    /// Bytes known when the plan was made: `__typename`, introspection.
    case constant
    case text, integer, double, boolean, dateTime, enumeration
    /// A list of leaves, or a custom scalar of no fixed form.
    case leafValue
    case objects
  }
  let kind: Kind
  /// The cell is not in the object's row but among the field's computed leaves.
  let isComputed: Bool
  /// Whether null may stand here.
  let isNullable: Bool
  /// The row's column, the computed leaf's slot, or the token runs' slot.
  let place: Int32
  let keyStart: Int32
  let keyLength: Int32
  /// Its place in `OperationPlan.fields`.
  let field: Int32
  /// The place in `OperationPlan.enumerations`; for constants, where in `keyBytes` they begin and how long they are.
  let extra: Int32
  let extraLength: Int32
}

/// A field's arguments: known when the plan is made, or to be coerced with each request's variables.
enum ArgumentPlan: Sendable {
  case constant(Arguments)
  case dynamic(field: NodeIndex, definitions: [InputValueDefinition])

  var isDynamic: Bool { if case .dynamic = self { true } else { false } }
}
