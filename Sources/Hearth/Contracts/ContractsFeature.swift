import GraphQL

extension Feature {
  /// Contracts: the rewards of a child for points.
  static let contracts = Feature(
    name: "contracts",
    objects: [
      "Contract": ContractType.binding,
      "ContractPayload": Payload.binding("contract"),
      "RewardLevel": RewardLevelType.binding,
      "RewardPayload": Payload.binding("contract", "entry"),
      "ContractChanged": FeedEventType.subject("contract"),
      "ContractConnection": .connection,
      "ContractEdge": .edge,
    ],
    mutations: [
      "makeContract": MakeContract.mutation,
      "endContract": EndContract.mutation,
      "redeemReward": RedeemReward.mutation,
      "handOutReward": HandOutReward.mutation,
    ]
  )
}
