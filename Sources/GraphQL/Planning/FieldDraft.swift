/// A field of a planned selection set, before the calls of the plan are complete.
struct FieldDraft {
  let responseKey: String
  let name: String
  let type: TypeReference
  let nodes: [NodeIndex]
  let call: FieldCallReference?
  let coordinate: String
}
