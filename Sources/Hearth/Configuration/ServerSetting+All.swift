import GraphQL
import Storage

extension ServerSetting {
  /// All settings, in the order of the operating guide and of `hearth serve --help`.
  package static let all = options + telemetry + database + access + limits + accounts + pushes + sizes + providers

  /// Options of the command.
  private static let options: [ServerSetting] = [
    .option("host", variable: "HOST", default: "`127.0.0.1`", "the address or name to listen on"),
    .option("port", variable: "PORT", default: "`8080`", "the port; 0 picks a free one"),
    .option("data", variable: "DATA", default: "`data`", "the data folder, which is created if it does not exist"),
    .option("loops", variable: "LOOPS", default: "one per core", "event loops"),
    .option("config", variable: "CONFIG", default: "none", "a file with settings"),
    .option(
      "accept-lost-log",
      variable: nil,
      default: "off",
      "starts even if the write-ahead log is missing: see [after a crash](#after-a-crash)"
    ),
    .option(
      "demo",
      variable: nil,
      default: "off",
      "fills an empty data folder with a family whose passwords are public: never use it on a server that others can reach"
    ),
  ]

  /// Who can reach the server, and with which documents.
  private static let access: [ServerSetting] = [
    ServerSetting(
      "PUBLIC_URL",
      default: "that of each request",
      "the public URL, such as `https://hearth.example.com`: picture URLs and links in mails begin with it, and its pages can open WebSockets"
    ) { given, configuration in
      guard let address = given.text else { return }
      configuration.publicURL = address.hasSuffix("/") ? String(address.dropLast()) : address
    },
    ServerSetting(
      "CLIENT_ADDRESS_HEADER",
      default: "none",
      "the header in which your proxy sends the client's address, of which the last one counts; required for [rate limits](#rate-limits)"
    ) { given, configuration in
      if let header = given.text { configuration.clientAddressHeader = header.lowercased() }
    },
    ServerSetting(
      "ALLOWED_ORIGINS",
      default: "none",
      "web pages that can read responses and open WebSockets: comma-separated origins, or `*`"
    ) { given, configuration throws(InvalidSetting) in
      guard let origins = given.list else { return }
      guard origins.allSatisfy({ $0 == "*" || $0.wholeMatch(of: /https?:\/\/[^\/\s]+/) != nil }) else {
        throw given.invalid("must list origins as https://app.example.com, or be *.")
      }
      configuration.allowedOrigins = Set(origins)
    },
    ServerSetting(
      "TRUSTED_DOCUMENTS",
      default: "none",
      "trusted documents that requests can name: a folder of `.graphql` files, or a manifest; read and validated at the start"
    ) { given, configuration in
      configuration.trustedDocuments = given.text ?? configuration.trustedDocuments
    },
    // It depends on `TRUSTED_DOCUMENTS`, so it comes after it.
    ServerSetting("ACCEPTED_DOCUMENTS", default: "any", "`any` or `trusted`: the documents that are executed") {
      given,
      configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard let accepted = Configuration.AcceptedDocuments(rawValue: text),
        accepted == .any || configuration.trustedDocuments != nil
      else { throw given.invalid("must be any, or trusted if HEARTH_TRUSTED_DOCUMENTS is set.") }
      configuration.acceptedDocuments = accepted
    },
    .number(
      "CONNECTIONS_PER_PERSON",
      property: \.connectionsPerPerson,
      in: 1...1_000_000,
      "the maximum number of open WebSockets and event streams per person"
    ),
    .number("BATCH_SIZE", property: \.batchSize, in: 1...100, "the maximum number of requests in one body, as a list"),
    .number(
      "CALLER_SHARE",
      property: \.callerShare,
      in: 1...100,
      "the percentage of a loop's time that a caller with slow requests gets; 100 for no limit: see [rate limits](#rate-limits)"
    ),
  ]

  /// Limits on the cost of a request. The body limit bounds the size of a document, and the parser bounds its depth, so
  /// these settings cannot exceed those.
  private static let limits: [ServerSetting] = [
    .number(
      "MAX_DOCUMENT_BYTES",
      property: \.limits.documentBytes,
      in: 1...1 << 20,
      "the maximum number of bytes of a document: see [limits](#limits)"
    ),
    .number("MAX_TOKENS", property: \.limits.tokens, in: 1...1 << 20, "the maximum number of tokens of a document"),
    .number("MAX_DEPTH", property: \.limits.depth, in: 1...64, "the maximum nesting depth of fields, up to 64"),
    .number("MAX_ALIASES", property: \.limits.aliases, in: 0...1 << 20, "the maximum number of aliases of a document"),
    .number(
      "MAX_ROOT_FIELDS",
      property: \.limits.rootFields,
      in: 1...1 << 20,
      "the maximum number of root fields of an operation"
    ),
    .number(
      "MAX_DIRECTIVES",
      property: \.limits.directives,
      in: 0...1 << 20,
      "the maximum number of directives at one location"
    ),
    .number(
      "MAX_FRAGMENT_SPREADS",
      property: \.limits.fragmentSpreads,
      in: 0...1 << 20,
      "the maximum number of fragment spreads of an operation"
    ),
    .number(
      "MAX_INTROSPECTION_LISTS",
      property: \.limits.introspectionLists,
      in: 1...16,
      "the nesting depth of introspection lists that is rejected"
    ),
    .number(
      "MAX_VALIDATION_STEPS",
      property: \.limits.validationSteps,
      in: 1...1 << 40,
      "the maximum number of steps to validate a document; 100,000 take some milliseconds"
    ),
    .number("MAX_FIELDS", property: \.limits.fields, in: 1...1 << 20, "the maximum number of fields of an operation"),
    .number(
      "MAX_COST",
      property: \.limits.cost,
      // Signing in costs up to 120,000.
      in: 120_000...1 << 50,
      "the maximum cost of an operation, at least 120,000"
    ),
    .number(
      "MAX_VARIABLE_VALUES",
      property: \.limits.variableValues,
      in: 1...1 << 20,
      "the maximum number of values and keys in the variables of a request"
    ),
    .number("MAX_ERRORS", property: \.limits.errors, in: 1...10_000, "the maximum number of errors in a response"),
    .number(
      "MAX_RESPONSE_BYTES",
      property: \.limits.responseBytes,
      in: 1024...1 << 30,
      "the maximum number of bytes of a response"
    ),
  ]

  /// Accounts, families and mail.
  private static let accounts: [ServerSetting] = [
    .choice("INTROSPECTION", property: \.introspection, "`everyone` or `signed-in`: who can use introspection"),
    .requestTimes,
    .flag(
      "SUBGRAPH",
      property: \.isSubgraph,
      "whether the schema is a subgraph of a supergraph, `yes` or `no`: see [Federation](federation.md)"
    ),
    .number(
      "ACCESS_TOKEN_LIFETIME",
      property: \.accessTokenLifetime,
      in: 1...31_536_000,
      "the lifetime of an access token in seconds"
    ),
    // An empty value means that nothing is required.
    ServerSetting(
      "REGISTRATION_REQUIRES",
      default: "`name,dateOfBirth`",
      "what a registration requires besides address and password: any of `name`, `dateOfBirth`, `phone`, or nothing"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.textOrEmpty else { return }
      let fields = text.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init)
      let known: Set = ["name", "dateOfBirth", "phone"]
      guard known.isSuperset(of: fields) else {
        throw given.invalid("may list \(known.sorted().joined(separator: ", ")).")
      }
      configuration.registrationRequires = Set(fields)
    },
    .flag(
      "CHORES_REQUIRE_PICTURE",
      property: \.choresRequirePicture,
      "whether chores need a picture, `yes` or `no`: `addChore` without one is a `BLANK`, and it cannot be removed; chores that have none stay"
    ),
    ServerSetting("TIME_ZONE", default: "UTC", "the time zone of new families, such as `Europe/Paris`") {
      given,
      configuration throws(InvalidSetting) in
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
    ServerSetting("PHONE_REGION", default: "US", "the region of phone numbers without a country calling code") {
      given,
      configuration throws(InvalidSetting) in
      guard let region = given.text else { return }
      guard region.utf8.count == 2, PhoneNumber.region(forCountryCode: region) != nil else {
        throw given.invalid("must be an ISO 3166-1 code of two letters, like US.")
      }
      configuration.phoneRegion = region.uppercased()
    },
    ServerSetting(
      "MAIL",
      default: "file:outbox, in the data folder",
      "the destination of mail: `file:DIR`, or `smtp://[user:password@]host:port`"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard let destination = MailDestination(text) else {
        // The message must not quote the value, which may contain a password.
        throw given.invalid("must be like file:DIR or smtp://[user:password@]host:port.")
      }
      configuration.mail = destination
    },
    ServerSetting("MAIL_SENDER", default: "hearth@localhost", "the sender address of mail") {
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
    ServerSetting("APP_NAME", default: "Hearth", "the name of your app: in mails, as their sender, and on pages") {
      given,
      configuration throws(InvalidSetting) in
      guard let name = given.text else { return }
      guard name.count <= 60, LetterName.text(name) == name else {
        throw given.invalid("must be a name of at most 60 characters without links and line breaks.")
      }
      configuration.appName = name
    },
    ServerSetting(
      "APP_URL",
      default: "none",
      "the URL of your app, such as `https://app.example.com`: links in mails lead to its pages instead of [those of the server](#pages-behind-links)"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard text.wholeMatch(of: /https?:\/\/[^\s\/?#"<>]+(\/[^\s?#"<>]*)?/) != nil else {
        throw given.invalid("must be like https://app.example.com, without \"?\" and \"#\".")
      }
      configuration.appURL = text.hasSuffix("/") ? String(text.dropLast()) : text
    },
  ]

  /// Pictures, request bodies and the disk.
  private static let sizes: [ServerSetting] = [
    .number("PICTURE_BYTES", property: \.pictureBytes, in: 1024...1 << 30, "the maximum number of bytes of a picture"),
    .number("PICTURE_PIXELS", property: \.picturePixels, in: 1...1 << 40, "the maximum number of pixels of a picture"),
    .number(
      "PICTURE_CACHE_BYTES",
      property: \.pictureCacheBytes,
      in: 0...1 << 50,
      "the maximum number of bytes of all [sizes of pictures](#sizes-of-pictures) on the disk, and with PostgreSQL of all "
        + "copies of pictures; 0 serves originals only"
    ),
    .number(
      "UPLOAD_BYTES",
      property: \.uploadBytes,
      in: 1024...1 << 30,
      "the maximum number of bytes of a request with files"
    ),
    .number(
      "UPLOAD_BYTES_IN_FLIGHT",
      property: \.uploadBytesInFlight,
      in: 1024...1 << 40,
      "the maximum number of bytes of all such requests in flight"
    ),
    .number(
      "ANONYMOUS_BODY_BYTES",
      property: \.anonymousBodyBytes,
      in: 1024...1 << 20,
      "the maximum number of bytes of a body or a WebSocket message without a valid access token"
    ),
    .number(
      "BODY_BYTES_IN_FLIGHT",
      property: \.bodyBytesInFlight,
      in: 1 << 20...1 << 40,
      "the maximum number of bytes of all requests in flight, including those with files"
    ),
    .number(
      "RESPONSE_BYTES_IN_FLIGHT",
      property: \.responseBytesInFlight,
      in: 1 << 20...1 << 40,
      "the maximum number of bytes of all unsent responses"
    ),
    .number(
      "MIN_FREE_BYTES",
      property: \.minimumFreeBytes,
      in: 0...1 << 50,
      "the number of bytes that must be free on the data folder's disk for `/ready` to return 200"
    ),
  ]

  /// Identity providers, passwords and the log.
  private static let providers: [ServerSetting] = [
    ServerSetting(
      providers: "CLIENT_IDS",
      default: "none",
      "your apps' comma-separated client ids at the provider; without one the provider is disabled"
    ) { given, settings in
      settings.clientIDs = given.list ?? settings.clientIDs
    },
    ServerSetting(
      providers: "APP_SECRET",
      of: [.facebook],
      default: "none",
      "the app's secret, which authenticates inspections of Facebook's access tokens"
    ) { given, settings in
      if let secret = given.text { settings.applicationSecret = ApplicationSecret(secret) }
    },
    ServerSetting(providers: "ISSUER", default: "the provider's", "the accepted issuers of tokens") { given, settings in
      settings.issuers = given.list ?? settings.issuers
    },
    ServerSetting(providers: "KEYS_URL", default: "the provider's", "the URL of the provider's signing keys") {
      given,
      settings throws(InvalidSetting) in
      if let url = try given.url() { settings.keysURL = url }
    },
    ServerSetting(
      providers: "GRAPH_URL",
      of: [.facebook],
      default: "Facebook's",
      "the URL where access tokens are inspected"
    ) {
      given,
      settings throws(InvalidSetting) in
      if let url = try given.url() { settings.graphURL = url }
    },
    .number(
      "PASSWORD_COST",
      property: \.passwordCost,
      in: 10...20,
      "the base-2 logarithm of scrypt's cost: each increment doubles the time and memory of a sign-in"
    ),
    ServerSetting("READ_ONLY", default: "false", "`true` rejects mutations: see [read-only mode](#read-only-mode)") {
      given,
      configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard let isReadOnly = Bool(text) else { throw given.invalid("must be true or false.") }
      configuration.isReadOnly = isReadOnly
    },
    ServerSetting(
      "REQUEST_LOG",
      default: "off",
      "`off`, `text` or `json`: a line for each request; with `:N`, as in `json:100`, for one of N: see [request log](#request-log)"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard configuration.requestLog.set(text) else {
        throw given.invalid("must be off, text or json, or like json:100 for one request of 100.")
      }
    },
    ServerSetting(
      "SLOW_LOG",
      default: "off",
      "the milliseconds from which a request is logged with its SQL statements, or `off`"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard configuration.requestLog.set(slow: text) else {
        throw given.invalid("must be off, or a number of milliseconds from 1 to 3600000.")
      }
    },
    .option(
      nil,
      variable: "LOG_LEVEL",
      default: "info",
      "`trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`"
    ),
  ]
}
