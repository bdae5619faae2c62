import GraphQL

extension Feature {
  /// Erasing people and children.
  static let personalData = Feature(
    name: "personal data",
    objects: ["DeleteAccountPayload": DeleteAccount.payload],
    mutations: [
      "deleteAccount": DeleteAccount.mutation,
      "deleteChild": DeleteChild.mutation,
      "restoreChild": RestoreChild.mutation,
    ],
    services: [Erasure.service],
    preparations: [Erasure.repeatRecorded]
  )
}
