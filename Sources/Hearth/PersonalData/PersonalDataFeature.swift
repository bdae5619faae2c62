import GraphQL

extension Feature {
  /// Exporting what the server has about people, and erasing it.
  static let personalData = Feature(
    name: "personal data",
    objects: [
      "DeleteAccountPayload": DeleteAccount.payload,
      "ExportPayload": ExportMyData.payload,
    ],
    mutations: [
      "deleteAccount": DeleteAccount.mutation,
      "deleteChild": DeleteChild.mutation,
      "restoreChild": RestoreChild.mutation,
      "exportMyData": ExportMyData.mutation,
    ],
    cleanings: [ExportFolder.clean],
    deadlines: [MovedErasures.deadlines],
    // Erasures delete archives.
    services: [ExportFolder.service, ExportFolder.cleaning, Erasure.service],
    streams: [ExportMyData.response],
    preparations: [Erasure.repeatRecorded]
  )
}
