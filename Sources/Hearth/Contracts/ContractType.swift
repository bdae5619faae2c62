import GraphQL
import Storage

enum ContractColumn: Int, StoredColumns {
  case id, child, description, maxPoints, points, active, createdAt

  var column: StoredType.Column {
    switch self {
    case .id: .identifier
    case .child: .key("o.child_id")
    case .description: .text("o.description")
    case .maxPoints: .integer("o.max_points")
    case .points: .integer("o.points")
    case .active: .boolean("o.active")
    case .createdAt: .dateTime("o.created_at")
    }
  }
}

enum ContractType {
  static let stored = StoredType(key: "o.id", ContractColumn.self)
  static let byKey = Loader.byKey(stored, from: "contract AS o ON o.family_id = \(\.family) AND o.id = k.value")

  static let binding = ObjectBinding(
    byKey,
    [
      "id": .stored(ContractColumn.id),
      "child": .reference(ContractColumn.child),
      "description": .stored(ContractColumn.description),
      "maxPoints": .stored(ContractColumn.maxPoints),
      "points": .stored(ContractColumn.points),
      "active": .stored(ContractColumn.active),
      "createdAt": .stored(ContractColumn.createdAt),
      "progress": .computed(needs: [ContractColumn.points, .maxPoints]) { contract, _ in
        let points = contract.int(ContractColumn.points.rawValue) ?? 0
        let most = max(contract.int(ContractColumn.maxPoints.rawValue) ?? 1, 1)
        return .double(min(Double(points) / Double(most), 1))
      },
      "levels": .objects(needs: [ContractColumn.points]) { batch, context in
        try RewardLevelType.ofContracts(&batch, points: ContractColumn.points, context)
      },
    ]
  )
}
