/// A field of a planned selection set, before the calls that it shares are known in full.
struct FieldDraft {
  let responseKey: String
  let name: String
  let type: TypeReference
  let nodes: [NodeIndex]
  let call: FieldCallReference?
  let coordinate: String
}
