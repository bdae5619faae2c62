/// The arguments of a field, while the plan is made.
struct ArgumentDraft {
  enum Values {
    case constant(Arguments)
    /// `texts` are the values as written in the document, in the order of the argument definitions. Equal texts have
    /// equal values within one request.
    case dynamic(GivenArguments, texts: [String?])
  }

  let values: Values
  /// Equal for equal arguments.
  let identity: Int

  static let none = ArgumentDraft(values: .constant(.none), identity: 0)
}

/// The arguments of a plan's fields. A value can be as long as the document, and its field can occur in thousands of
/// sets. So the arguments of each field are coerced and compared once.
struct ArgumentDrafts {
  private struct Key: Hashable {
    let field: NodeIndex
    let type: TypeID

    func hash(into hasher: inout Hasher) { hasher.combine(field << 24 ^ type.index) }
  }

  /// The values of arguments; those of `ArgumentDraft.none` are not among `identities`.
  private enum Identity: Hashable {
    case constant(Arguments)
    /// The texts as values, which are equal if their bytes are.
    case dynamic([InputValue?])
  }

  private var drafts = SmallDictionary<Key, ArgumentDraft>()
  private var identities = SmallDictionary<Identity, Int>()

  func known(of field: NodeIndex, on type: TypeID) -> ArgumentDraft? { drafts[Key(field: field, type: type)] }

  mutating func insert(_ values: ArgumentDraft.Values, of field: NodeIndex, on type: TypeID) -> ArgumentDraft {
    let identity: Identity
    switch values {
    case .constant(let arguments): identity = .constant(arguments)
    case .dynamic(_, let texts): identity = .dynamic(texts.map { $0.map(InputValue.string) })
    }
    let number = identities.value(of: identity, orInsert: ArgumentDraft.none.identity + 1 + identities.count)
    let draft = ArgumentDraft(values: values, identity: number)
    drafts.insert(draft, for: Key(field: field, type: type))
    return draft
  }
}
