import Assets
import Storage

extension Demonstration {
  typealias NamedPicture = (picture: Int64, name: String)

  static let setAvatar = SQL<NamedPicture>("UPDATE person SET avatar = \(\.picture) WHERE name = \(\.name)")
  static let setAvatarOfChild = SQL<NamedPicture>("UPDATE child SET avatar = \(\.picture) WHERE name = \(\.name)")
  static let setPhoto = SQL<NamedPicture>("UPDATE item SET photo = \(\.picture) WHERE name = \(\.name)")
  static let setImage = SQL<NamedPicture>("UPDATE chore SET image = \(\.picture) WHERE name = \(\.name)")

  private static let pictures: [(DemonstrationPicture, SQL<NamedPicture>, name: String)] = [
    (.ada, setAvatar, "Ada Lovelace"), (.browning, setAvatar, "Browning Duncan"), (.mia, setAvatarOfChild, "Mia"),
    (.tent, setPhoto, "Tent"), (.bicycle, setPhoto, "Mia's bicycle"), (.cat, setImage, "Feed the cat"),
    (.plant, setImage, "Water the plants"),
  ]

  /// Sets the pictures of some objects. The others show placeholders.
  static func addPictures(_ services: Services) async throws {
    for (picture, update, name) in pictures {
      let examined = try await services.pictures.examine(picture.bytes[...], for: 0)
      try await services.pictures.holding(examined, for: 0, of: services.database) {
        try await services.database.write { transaction in
          let picture = try StoredPicture.insert(examined, in: transaction)
          try services.pictures.insertContent(of: examined, in: transaction)
          try transaction.run(update, (picture: picture, name: name))
          // A picture without a reference is deleted.
          try services.pictures.removeUnused(transaction)
        }
      }
    }
  }
}
