/// A field of an object type with its arguments.
///
/// Places of a document that call the same field with the same arguments, under whatever alias and on whatever level,
/// share one call: it is made once for each object, and the objects that a level newly brings are handed over together.
final class FieldCall: Sendable {
  let parentType: TypeID
  let name: String
  let type: TypeReference
  let binding: FieldBinding
  let arguments: ArgumentPlan
  /// The names of the fields asked of what it gives, at any of its places, for loaders that can save work by knowing.
  /// A handful, so that looking through them is quicker than hashing.
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
    selected: Set<String>,
    weights: FieldWeights,
    coordinate: String
  ) {
    self.parentType = parentType
    self.name = name
    self.type = type
    self.binding = binding
    self.arguments = arguments
    self.selected = selected.sorted()
    self.weights = weights
    self.coordinate = coordinate
  }

  /// Whether making it takes waiting.
  var waits: Bool {
    switch binding {
    case .asyncLoad, .asyncLeaf, .asyncLeaves, .asyncObjects: true
    default: false
    }
  }

  /// The arguments, where they hang on no variable.
  var constantArguments: Arguments? { if case .constant(let arguments) = arguments { arguments } else { nil } }
}

/// A field's arguments: known when the plan is made, or to be coerced with each request's variables.
enum ArgumentPlan: Sendable {
  case constant(Arguments)
  /// `slot` is the place of the coerced ones among the request's.
  case dynamic(slot: Int, field: NodeIndex, definitions: [InputValueDefinition])

  var isDynamic: Bool { if case .dynamic = self { true } else { false } }
}

/// What makes two calls the same.
struct FieldCallIdentity: Hashable {
  let type: TypeID
  let field: Int
  /// `ArgumentDraft.identity`.
  let arguments: Int
}
