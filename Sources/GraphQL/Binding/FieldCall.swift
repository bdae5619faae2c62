/// A field of an object type together with its arguments.
///
/// Selections of the same field with the same arguments share one call, whatever their aliases and levels. The call is
/// made once for each object, and all objects that are new on a level are passed to the resolver in one batch.
final class FieldCall: Sendable {
  let field: BoundField
  let arguments: ArgumentPlan
  /// The positions in `BoundField.fieldNames` of all fields that the document selects on the returned objects, for
  /// loaders that can skip work.
  private let selected: PositionSet

  init(_ field: BoundField, arguments: consuming ArgumentPlan, selected: consuming PositionSet) {
    self.field = field
    self.arguments = arguments
    self.selected = selected
  }

  var parentType: TypeID { field.parentType }
  var type: TypeReference { field.type }
  var binding: FieldBinding { field.binding }
  var coordinate: String { field.coordinate }
  var isAsync: Bool { field.isAsync }

  /// Whether the document selects a field of this name on the returned objects. There are only a few, so comparing
  /// their names is faster than hashing.
  func selects(_ name: String) -> Bool { selected.hasPosition { field.fieldNames[$0] == name } }

  /// Whether the cost of the call depends on the variables of a request.
  var costDependsOnVariables: Bool { field.weights.dependOnArguments && arguments.isDynamic }

  /// The arguments, if they do not depend on variables.
  var constantArguments: Arguments? { if case .constant(let arguments) = arguments { arguments } else { nil } }
}

/// The fields that the document selects on the objects that a call returns.
package struct SelectedFields: Sendable {
  private let call: FieldCall

  init(of call: FieldCall) { self.call = call }

  package func selects(_ name: String) -> Bool { call.selects(name) }
}

/// A field's arguments: either known when the plan is made, or coerced with the variables of each request.
enum ArgumentPlan: Sendable {
  case constant(Arguments)
  /// `slot` is the index of the coerced arguments in `ExecutionState.arguments`.
  case dynamic(slot: Int, GivenArguments)

  var isDynamic: Bool { if case .dynamic = self { true } else { false } }
}
