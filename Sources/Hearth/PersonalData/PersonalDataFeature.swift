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
    services: [Erasure.service, ExportFolder.service, ExportFolder.cleaning],
    streams: [ExportMyData.response],
    preparations: [Erasure.repeatRecorded]
  )
}
