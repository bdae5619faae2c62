extension ServerSetting {
  /// The fields that `REGISTRATION_REQUIRES` may list.
  private static let registrationFields = ["name", "dateOfBirth", "phone"]

  /// Accounts, families and mail.
  static let accounts: [ServerSetting] = [
    .number(
      "ACCESS_TOKEN_LIFETIME",
      property: \.accessTokenLifetime,
      in: 1...31_536_000,
      "the lifetime of an access token in seconds"
    ),
    // An empty value means that nothing is required.
    ServerSetting(
      "REGISTRATION_REQUIRES",
      default: "`\(registrationFields.filter(Configuration().registrationRequires.contains).joined(separator: ","))`",
      "what a registration requires besides address and password: any of `name`, `dateOfBirth`, `phone`, or nothing"
    ) { given, configuration throws(InvalidSetting) in
      guard given.textOrEmpty != nil else { return }
      let fields = given.list ?? []
      guard fields.allSatisfy(registrationFields.contains) else {
        throw given.invalid("may list \(registrationFields.sorted().joined(separator: ", ")).")
      }
      configuration.registrationRequires = Set(fields)
    },
    .flag(
      "CHORES_REQUIRE_PICTURE",
      property: \.choresRequirePicture,
      "whether chores need a picture, `yes` or `no`: `addChore` without one is a `BLANK`, and it cannot be removed; chores that have none stay"
    ),
    ServerSetting(
      "TIME_ZONE",
      default: Configuration().timeZone,
      "the time zone of new families, such as `Europe/Paris`"
    ) { given, configuration throws(InvalidSetting) in
      guard let zone = given.text else { return }
      guard TimeZoneName.isValid(zone) else {
        throw given.invalid("must be a time zone of the IANA database, like Europe/Paris.")
      }
      configuration.timeZone = zone
    },
    .number(
      "PARENT_REMOVAL_DAYS",
      property: \.parentRemovalDays,
      in: 1...90,
      "the number of days until a requested removal of a parent takes effect, 1 to 90: see [parents](front-end.md#parents)"
    ),
    ServerSetting(
      "PHONE_REGION",
      default: Configuration().phoneRegion,
      "the region of phone numbers without a country calling code"
    ) { given, configuration throws(InvalidSetting) in
      guard let region = given.text else { return }
      guard region.utf8.count == 2, PhoneNumber.region(forCountryCode: region) != nil else {
        throw given.invalid("must be an ISO 3166-1 code of two letters, like US.")
      }
      configuration.phoneRegion = region.uppercased()
    },
    ServerSetting(
      "MAIL",
      default: "file:outbox, in the data folder",
      "the destination of mail: `file:DIR`, where a relative folder is in the data folder, or `smtp://[user:password@]host:port`, or `smtps://` for TLS from the first byte"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard let destination = MailDestination(text) else {
        // The message must not quote the value, which may contain a password.
        throw given.invalid("must be like file:DIR, or smtp[s]://[user:password@]host:port.")
      }
      configuration.mail = destination
    },
    ServerSetting("MAIL_SENDER", default: Configuration().mailSender, "the sender address of mail") {
      given,
      configuration throws(InvalidSetting) in
      guard let sender = given.text else { return }
      // The default's domain is a single label, which addresses of accounts cannot have.
      guard sender == configuration.mailSender || EmailAddress(sender) != nil else {
        throw given.invalid("must be an e-mail address.")
      }
      configuration.mailSender = sender
    },
    ServerSetting(
      "MAIL_TEMPLATES",
      default: "none",
      "a folder with texts of mails that replace those of the program: see [texts of mails](#texts-of-mails)"
    ) { given, configuration throws(InvalidSetting) in
      guard let folder = given.text else { return }
      do throws(UnusableTemplates) {
        configuration.mailTemplates = try MailTemplates(folder: folder)
      } catch {
        throw InvalidSetting("\(given.variable): \(error.sentence)")
      }
    },
    .choice(
      "LANGUAGE",
      property: \.defaultLanguage,
      "`en`, `de`, `fr` or `es`: the language of mails and of notifications to devices for people without `Account.locale`"
    ),
    ServerSetting(
      "APP_NAME",
      default: Configuration().appName,
      "the name of your app: in mails, as their sender, and on pages"
    ) { given, configuration throws(InvalidSetting) in
      guard let name = given.text else { return }
      guard name.count <= 60, SafeName.text(name) == name else {
        throw given.invalid("must be a name of at most 60 characters without links and line breaks.")
      }
      configuration.appName = name
    },
    ServerSetting(
      "APP_URL",
      default: "none",
      "the URL of your app, such as `https://app.example.com`: links in mails lead to its pages instead of [those of the server](#pages-behind-links)"
    ) { given, configuration throws(InvalidSetting) in
      if let url = try given.urlOfPages(like: "https://app.example.com") { configuration.appURL = url }
    },
  ]
}
