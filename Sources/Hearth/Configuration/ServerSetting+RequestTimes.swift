extension ServerSetting {
  static let requestTimes = ServerSetting(
    "REQUEST_TIMES",
    default: "`nobody`; `signed-in` with `--demo`",
    "who can ask for the times of their own requests: `nobody`, `signed-in`, or ids of people, separated by commas: see [times](#times-of-a-request)"
  ) { given, configuration throws(InvalidSetting) in
    configuration.requestTimes =
      switch given.text {
      case nil: nil
      case "nobody": .nobody
      case "signed-in": .signedIn
      default: .people(Set(try ids(in: given)))
      }
  }

  private static func ids(in given: Given) throws(InvalidSetting) -> [String] {
    guard let ids = given.list, !ids.isEmpty, ids.allSatisfy(IdentifierCipher.isID) else {
      throw given.invalid("must be nobody, signed-in, or ids of people with commas between them.")
    }
    return ids
  }
}
