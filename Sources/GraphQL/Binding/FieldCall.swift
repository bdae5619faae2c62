/// A field of an object type together with its arguments.
///
/// Selections of the same field with the same arguments share one call, whatever their aliases and levels. The call is
/// made once for each object, and all objects that are new on a level are passed to the resolver in one batch.
final class FieldCall: Sendable {
  let parentType: TypeID
  let name: String
  let type: TypeReference
  let binding: FieldBinding
  let arguments: ArgumentPlan
  /// The names of all fields that the document selects on the returned objects, for loaders that can skip work. There
  /// are only a few names, so a linear search is faster than hashing.
  let selected: [String]
  let weights: FieldWeights
  /// `Type.field`.
  let coordinate: String

  init(
    parentType: TypeID,
    name: String,
    type: TypeReference,
    binding: FieldBinding,
    arguments: ArgumentPlan,
    selected: [String],
    weights: FieldWeights,
    coordinate: String
  ) {
    self.parentType = parentType
    self.name = name
    self.type = type
    self.binding = binding
    self.arguments = arguments
    self.selected = selected
    self.weights = weights
    self.coordinate = coordinate
  }

  /// Another call of the same field.
  convenience init(_ other: FieldCall, arguments: ArgumentPlan, selected: [String]) {
    self.init(
      parentType: other.parentType,
      name: other.name,
      type: other.type,
      binding: other.binding,
      arguments: arguments,
      selected: selected,
      weights: other.weights,
      coordinate: other.coordinate
    )
  }

  /// Whether the resolver is asynchronous.
  var isAsync: Bool {
    switch binding {
    case .asyncLoad, .asyncLeaf, .asyncLeaves, .asyncObjects: true
    default: false
    }
  }

  /// The arguments, if they do not depend on variables.
  var constantArguments: Arguments? { if case .constant(let arguments) = arguments { arguments } else { nil } }
}

/// A field's arguments: either known when the plan is made, or coerced with the variables of each request.
enum ArgumentPlan: Sendable {
  case constant(Arguments)
  /// `slot` is the index of the coerced arguments in `ExecutionState.arguments`.
  case dynamic(slot: Int, GivenArguments)

  var isDynamic: Bool { if case .dynamic = self { true } else { false } }
}
