import GraphQL
import Storage

enum ContractType {
  static let stored = StoredType(Contract.table, as: "o", key: \.id)
  static let byKey = Loader.byKey(stored, rows: .contract, of: \.family, alias: "o")

  private static let points = Contract.column(of: \.points)
  private static let maxPoints = Contract.column(of: \.maxPoints)

  static let binding = ObjectBinding(
    byKey,
    fields: [
      "id": .stored(\Contract.id),
      "child": .reference(\Contract.child),
      "description": .stored(\Contract.description),
      "maxPoints": .stored(\Contract.maxPoints),
      "points": .stored(\Contract.points),
      "active": .stored(\Contract.isActive),
      "createdAt": .stored(\Contract.createdAt),
      "fulfilled": .leaf(needs: [points, maxPoints]) { contract in
        .boolean((contract.int(points) ?? 0) >= (contract.int(maxPoints) ?? 1))
      },
      "progress": .leaf(needs: [points, maxPoints]) { contract in
        let points = contract.int(points) ?? 0
        let most = max(contract.int(maxPoints) ?? 1, 1)
        return .double(min(Double(points) / Double(most), 1))
      },
      "levels": .objects(needs: [\Contract.points]) { batch, context in
        try RewardLevelType.ofContracts(&batch, points: points, in: context)
      },
    ]
  )
}
