import GraphQL

extension ServerSetting {
  /// All settings, in the order in which the operating guide and `hearth serve --help` list them.
  package static let all = options + access + limits + accounts + sizes + providers

  /// Options of the command.
  private static let options: [ServerSetting] = [
    .option("host", "HOST", "`127.0.0.1`", "the address or name to listen on"),
    .option("port", "PORT", "`8080`", "the port; 0 picks a free one"),
    .option("data", "DATA", "`data`", "the folder of the data; it is made if it is not there"),
    .option("loops", "LOOPS", "one for each core", "event loops"),
    .option("config", "CONFIG", "none", "the file of settings"),
    .option(
      "accept-lost-log",
      nil,
      "off",
      "starts although the write-ahead log is missing: see [after a crash](#after-a-crash)"
    ),
    .option(
      "demo",
      nil,
      "off",
      "fills an empty folder with a family whose passwords everybody knows: never where others can reach it"
    ),
  ]

  /// Who reaches the server, and with which documents.
  private static let access: [ServerSetting] = [
    ServerSetting(
      "PUBLIC_URL",
      "the address of each request",
      "the address from outside, as `https://hearth.example.com`: pictures' urls and links in mails begin with it; pages of it may open WebSockets"
    ) { given, configuration in
      guard let address = given.text else { return }
      configuration.publicURL = address.hasSuffix("/") ? String(address.dropLast()) : address
    },
    ServerSetting(
      "CLIENT_ADDRESS_HEADER",
      "none",
      "the header in which your proxy sends the client's address; its last address counts. [Rate limits](#rate-limits) need it"
    ) { given, configuration in
      if let header = given.text { configuration.clientAddressHeader = header.lowercased() }
    },
    ServerSetting(
      "ALLOWED_ORIGINS",
      "none",
      "web pages that may read answers and open WebSockets: origins with commas between, or `*`"
    ) { given, configuration throws(InvalidSetting) in
      guard let origins = given.list else { return }
      guard origins.allSatisfy({ $0 == "*" || $0.wholeMatch(of: /https?:\/\/[^\/\s]+/) != nil }) else {
        throw given.invalid("must list origins as https://app.example.com, or be *.")
      }
      configuration.allowedOrigins = Set(origins)
    },
    ServerSetting(
      "TRUSTED_DOCUMENTS",
      "none",
      "documents that requests may name: a folder of `.graphql` files, or a manifest; read and checked at the start"
    ) { given, configuration in
      configuration.trustedDocuments = given.text ?? configuration.trustedDocuments
    },
    // Behind the documents, which it depends on.
    ServerSetting("ACCEPTED_DOCUMENTS", "any", "`any` or `trusted`: which documents are executed") {
      given,
      configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard let accepted = Configuration.AcceptedDocuments(rawValue: text),
        accepted == .any || configuration.trustedDocuments != nil
      else { throw given.invalid("must be any, or trusted where HEARTH_TRUSTED_DOCUMENTS is given.") }
      configuration.acceptedDocuments = accepted
    },
    .number(
      "CONNECTIONS_PER_PERSON",
      \.connectionsPerPerson,
      in: 1...1_000_000,
      "the most WebSockets and event streams that one person may have open"
    ),
    .number("BATCH_SIZE", \.batchSize, in: 1...100, "the most requests that one body may have, as a list"),
    .number(
      "CALLER_SHARE",
      \.callerShare,
      in: 1...100,
      "percent of a loop's time that a caller gets whose requests take long; 100 for no limit: see [rate limits](#rate-limits)"
    ),
  ]

  /// What a request may cost. A document with more bytes than a request's body would never arrive, and the parser does
  /// not go deeper.
  private static let limits: [ServerSetting] = [
    .number(
      "MAX_DOCUMENT_BYTES",
      \.limits.documentBytes,
      in: 1...1 << 20,
      "the most bytes of a document: see [limits](#limits)"
    ),
    .number("MAX_TOKENS", \.limits.tokens, in: 1...1 << 20, "the most tokens of a document"),
    .number("MAX_DEPTH", \.limits.depth, in: 1...64, "the most levels of fields in fields, up to 64"),
    .number("MAX_ALIASES", \.limits.aliases, in: 0...1 << 20, "the most aliases of a document"),
    .number("MAX_ROOT_FIELDS", \.limits.rootFields, in: 1...1 << 20, "the most fields at an operation's root"),
    .number("MAX_DIRECTIVES", \.limits.directives, in: 0...1 << 20, "the most directives at one place"),
    .number(
      "MAX_FRAGMENT_SPREADS",
      \.limits.fragmentSpreads,
      in: 0...1 << 20,
      "the most fragments that an operation spreads"
    ),
    .number(
      "MAX_INTROSPECTION_LISTS",
      \.limits.introspectionLists,
      in: 1...16,
      "lists of introspection in one another that are too many"
    ),
    .number(
      "MAX_VALIDATION_STEPS",
      \.limits.validationSteps,
      in: 1...1 << 40,
      "the most steps that validating a document may take; 100,000 are some milliseconds"
    ),
    .number("MAX_FIELDS", \.limits.fields, in: 1...1 << 20, "the most fields of an operation"),
    .number(
      "MAX_COST",
      \.limits.cost,
      // Signing in costs up to 120,000.
      in: 120_000...1 << 50,
      "the most that an operation may cost, at least 120,000"
    ),
    .number(
      "MAX_VARIABLE_VALUES",
      \.limits.variableValues,
      in: 1...1 << 20,
      "the most values and keys in the variables of a request"
    ),
    .number("MAX_ERRORS", \.limits.errors, in: 1...10_000, "the most errors that are told"),
    .number("MAX_RESPONSE_BYTES", \.limits.responseBytes, in: 1024...1 << 30, "the most bytes of an answer"),
  ]

  /// Accounts, families and mail.
  private static let accounts: [ServerSetting] = [
    .choice("INTROSPECTION", \.introspection, "`everyone` or `signed-in`: who may look at the schema by introspection"),
    .number(
      "ACCESS_TOKEN_LIFETIME",
      \.accessTokenLifetime,
      in: 1...31_536_000,
      "seconds for which an access token is good"
    ),
    // It can be empty: then nothing is required.
    ServerSetting(
      "REGISTRATION_REQUIRES",
      "`name,dateOfBirth`",
      "what a registration needs beside address and password: any of `name`, `dateOfBirth`, `phone`, or nothing"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.textOrEmpty else { return }
      let fields = text.split(separator: ",").map { $0.trimmingPrefix(while: \.isWhitespace) }.map(String.init)
      let known: Set = ["name", "dateOfBirth", "phone"]
      guard known.isSuperset(of: fields) else {
        throw given.invalid("may list \(known.sorted().joined(separator: ", ")).")
      }
      configuration.registrationRequires = Set(fields)
    },
    ServerSetting("TIME_ZONE", "UTC", "the time zone of new families, as `Europe/Paris`") {
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
      \.parentRemovalDays,
      in: 1...90,
      "days until the requested removal of a parent takes effect, 1 to 90: see [parents](front-end.md#parents)"
    ),
    ServerSetting("PHONE_REGION", "US", "where phone numbers without a country's code are from") {
      given,
      configuration throws(InvalidSetting) in
      guard let region = given.text else { return }
      guard region.utf8.count == 2, PhoneNumber.region(forCountryCode: region) != nil else {
        throw given.invalid("must be a country's code of two letters, like US.")
      }
      configuration.phoneRegion = region.uppercased()
    },
    ServerSetting(
      "MAIL",
      "file:outbox, beneath the data folder",
      "where mails go: `file:DIR`, or `smtp://[user:password@]host:port`"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard let destination = MailDestination(text) else {
        // The message does not quote the value, which may contain a password.
        throw given.invalid("must be like file:DIR or smtp://[user:password@]host:port.")
      }
      configuration.mail = destination
    },
    ServerSetting("MAIL_SENDER", "hearth@localhost", "the address that mails are from") {
      given,
      configuration throws(InvalidSetting) in
      guard let sender = given.text else { return }
      guard EmailAddress(sender) != nil else { throw given.invalid("must be an e-mail address.") }
      configuration.mailSender = sender
    },
  ]

  /// Pictures, bodies and the disk.
  private static let sizes: [ServerSetting] = [
    .number("PICTURE_BYTES", \.pictureBytes, in: 1024...1 << 30, "the most bytes of a picture"),
    .number("PICTURE_PIXELS", \.picturePixels, in: 1...1 << 40, "the most pixels of a picture"),
    .number("UPLOAD_BYTES", \.uploadBytes, in: 1024...1 << 30, "the most bytes of a request with files"),
    .number(
      "UPLOAD_BYTES_IN_FLIGHT",
      \.uploadBytesInFlight,
      in: 1024...1 << 40,
      "the most bytes of all such requests that are held at a time"
    ),
    .number(
      "ANONYMOUS_BODY_BYTES",
      \.anonymousBodyBytes,
      in: 1024...1 << 20,
      "the most bytes of a body, or of a WebSocket's message, without a valid access token"
    ),
    .number(
      "BODY_BYTES_IN_FLIGHT",
      \.bodyBytesInFlight,
      in: 1 << 20...1 << 40,
      "the most bytes of all requests that are held at a time, those with files among them"
    ),
    .number(
      "RESPONSE_BYTES_IN_FLIGHT",
      \.responseBytesInFlight,
      in: 1 << 20...1 << 40,
      "the most bytes of all responses that clients do not read as fast as they are sent"
    ),
    .number(
      "MIN_FREE_BYTES",
      \.minimumFreeBytes,
      in: 0...1 << 50,
      "the bytes that must be free on the data folder's disk for `/ready` to answer 200"
    ),
  ]

  /// Identity providers, passwords and the log.
  private static let providers: [ServerSetting] = [
    ServerSetting(
      providers: "CLIENT_IDS",
      "none",
      "your apps as the provider knows them, with commas between: without one nobody signs in that way"
    ) { given, settings in
      settings.clientIDs = given.list ?? settings.clientIDs
    },
    ServerSetting(
      providers: "APP_SECRET",
      of: [.facebook],
      "none",
      "the app's secret, with which Facebook's access tokens are looked up"
    ) { given, settings in
      if let secret = given.text { settings.applicationSecret = ApplicationSecret(secret) }
    },
    ServerSetting(providers: "ISSUER", "the provider's", "whom tokens must be from") { given, settings in
      settings.issuers = given.list ?? settings.issuers
    },
    ServerSetting(providers: "KEYS_URL", "the provider's", "where its keys are") {
      given,
      settings throws(InvalidSetting) in
      if let url = try given.url() { settings.keysURL = url }
    },
    ServerSetting(providers: "GRAPH_URL", of: [.facebook], "Facebook's", "where access tokens are looked up") {
      given,
      settings throws(InvalidSetting) in
      if let url = try given.url() { settings.graphURL = url }
    },
    .number(
      "PASSWORD_COST",
      \.passwordCost,
      in: 10...20,
      "the base-2 logarithm of scrypt's cost: one more doubles the time and memory of a sign-in"
    ),
    .option(nil, "LOG_LEVEL", "info", "`trace`, `debug`, `info`, `notice`, `warning`, `error` or `critical`"),
  ]
}
