import Assets
import Storage

extension Demonstration {
  static let setAvatar = SQL("UPDATE person SET avatar = ?1 WHERE name = ?2")
  static let setAvatarOfChild = SQL("UPDATE child SET avatar = ?1 WHERE name = ?2")
  static let setPhoto = SQL("UPDATE item SET photo = ?1 WHERE name = ?2")
  static let setImage = SQL("UPDATE chore SET image = ?1 WHERE name = ?2")

  private static let pictures: [(DemonstrationPicture, SQL<Positional>, name: String)] = [
    (.ada, setAvatar, "Ada Lovelace"), (.browning, setAvatar, "Browning Duncan"), (.mia, setAvatarOfChild, "Mia"),
    (.tent, setPhoto, "Tent"), (.bicycle, setPhoto, "Mia's bicycle"), (.cat, setImage, "Feed the cat"),
    (.plant, setImage, "Water the plants"),
  ]

  /// Gives some of what is there a picture; the rest shows what is drawn where there is none.
  static func addPictures(_ services: Services) async throws {
    for (picture, update, name) in pictures {
      let examined = try await services.pictures.examine(picture.bytes[...])
      try await services.pictures.holding(examined, of: services.database) {
        try await services.database.write { transaction in
          let statement = try transaction.statement(update)
          try statement.bind(1, try StoredPicture.insert(examined, transaction))
          try statement.bind(2, name)
          try statement.run()
          // A picture that nothing has is swept away.
          try services.pictures.removeUnused(transaction)
        }
      }
    }
  }
}
