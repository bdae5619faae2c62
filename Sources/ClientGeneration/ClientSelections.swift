import GraphQL

/// The selections of all operations and fragments of a client's documents.
struct ClientSelections {
  /// In the order of the documents.
  let operations: [(node: NodeIndex, selection: Selection)]
  /// In the order of their names, so that errors of fragments are always reported in the same order.
  let fragments: [(name: String, node: NodeIndex, selection: Selection)]
  /// The selections of fragments by their names.
  let selectionsOfFragments: [String: Selection]
  /// The selection sets that must select `__typename`, so that the response identifies the case.
  let setsWithCases: Set<NodeIndex>
  /// The selections for which no type can be generated.
  let faults: [String]

  init(_ client: ClientDocument) {
    var collector = SelectionCollector(client)
    var operations: [(node: NodeIndex, selection: Selection)] = []
    for node in client.operations {
      guard let root = client.type(of: node) else { continue }
      operations.append((node, collector.selection(of: node, on: root)))
    }
    var fragments: [(name: String, node: NodeIndex, selection: Selection)] = []
    for (name, node) in client.fragments.sorted(by: { $0.key < $1.key }) {
      guard let type = client.type(of: node) else { continue }
      fragments.append((name, node, collector.selection(of: node, on: type)))
    }
    self.operations = operations
    self.fragments = fragments
    selectionsOfFragments = Dictionary(uniqueKeysWithValues: fragments.map { ($0.name, $0.selection) })
    setsWithCases = collector.setsWithCases
    faults = collector.faults
  }
}
