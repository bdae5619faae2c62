import ArgumentParser
import Foundation
import Hearth
import Logging

struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Serves GraphQL over HTTP.",
    discussion: """
      Every option can also be given by an environment variable: HEARTH_HOST, HEARTH_PORT, HEARTH_DATA, HEARTH_LOOPS. \
      The same names can stand in a file, one NAME=value a line, that --config or HEARTH_CONFIG names: options come before \
      the environment, and that before the file. By environment variables or the file only:

        HEARTH_ACCESS_TOKEN_LIFETIME   seconds for which an access token is good (900)
        HEARTH_REGISTRATION_REQUIRES   what a registration must have beside address and password, \
      comma-separated (name,dateOfBirth)
        HEARTH_TIME_ZONE               the time zone of new families (UTC)
        HEARTH_PARENT_REMOVAL_DAYS     days until the requested removal of a parent takes effect (7)
        HEARTH_PHONE_REGION            where phone numbers without a country's code are from (US)
        HEARTH_PUBLIC_URL              the address under which the server is reached from outside
        HEARTH_ALLOWED_ORIGINS         whose pages may read answers and open WebSockets: origins with commas between, or * (none)
        HEARTH_TRUSTED_DOCUMENTS       documents that requests may name: a folder of .graphql files, or a manifest (none)
        HEARTH_ACCEPTED_DOCUMENTS      which documents are executed: any or trusted (any)
        HEARTH_CONNECTIONS_PER_PERSON  the most WebSockets and event streams that one person may have open (100)
        HEARTH_BATCH_SIZE              the most requests that one body may have, as a list (1)
        HEARTH_INTROSPECTION           who may look at the schema by introspection: everyone or signed-in (everyone)
        HEARTH_MAX_DOCUMENT_BYTES      the most bytes of a document (262144)
        HEARTH_MAX_TOKENS              the most tokens of a document (15000)
        HEARTH_MAX_DEPTH               the most levels of fields in fields (32)
        HEARTH_MAX_ALIASES             the most aliases of a document (200)
        HEARTH_MAX_ROOT_FIELDS         the most fields at an operation's root (100)
        HEARTH_MAX_DIRECTIVES          the most directives at one place (20)
        HEARTH_MAX_FRAGMENT_SPREADS    the most fragments that an operation spreads, each as often as it gets to it (2000)
        HEARTH_MAX_INTROSPECTION_LISTS lists of introspection in one another that are too many (3)
        HEARTH_MAX_VALIDATION_STEPS    the most steps that validating a document may take (500000)
        HEARTH_MAX_FIELDS              the most fields of an operation, over all types that they may be of (10000)
        HEARTH_MAX_COST                the most that an operation may cost (1000000)
        HEARTH_MAX_VARIABLE_VALUES     the most values and keys in the variables of a request (60000)
        HEARTH_MAX_ERRORS              the most errors that are told (100)
        HEARTH_MAX_RESPONSE_BYTES      the most bytes of an answer (16777216)
        HEARTH_MAIL                    where mails go: file:DIR or smtp://[user:password@]host:port \
      (file:outbox, beneath the data folder)
        HEARTH_MAIL_SENDER             the address that mails are from (hearth@localhost)
        HEARTH_PICTURE_BYTES           the most bytes of a picture (10485760)
        HEARTH_PICTURE_PIXELS          the most pixels of a picture (50000000)
        HEARTH_UPLOAD_BYTES            the most bytes of a request with files (26214400)
        HEARTH_UPLOAD_BYTES_IN_FLIGHT  the most bytes of all such requests at a time (134217728)
        HEARTH_ANONYMOUS_BODY_BYTES    the most bytes of a body without a valid access token (65536)
        HEARTH_BODY_BYTES_IN_FLIGHT    the most bytes of all requests that are held at a time (268435456)
        HEARTH_MIN_FREE_BYTES          the bytes that must be free on the disk for /ready to say so (67108864)
        HEARTH_CLIENT_ADDRESS_HEADER   the header in which a proxy in front of the server says who asks, as \
      X-Forwarded-For (none)
        HEARTH_APPLE_CLIENT_IDS, HEARTH_GOOGLE_CLIENT_IDS, HEARTH_FACEBOOK_CLIENT_IDS
                                       your apps as these providers know them, comma-separated: without one nobody \
      signs in that way
        HEARTH_FACEBOOK_APP_SECRET     the app's secret, with which access tokens are looked up
        HEARTH_{APPLE,GOOGLE,FACEBOOK}_ISSUER, _KEYS_URL, HEARTH_FACEBOOK_GRAPH_URL
                                       whom tokens are from, comma-separated, and where keys and access tokens are \
      looked up (as the providers document)
        HEARTH_PASSWORD_COST           the base-2 logarithm of scrypt's cost (15)
        HEARTH_LOG_LEVEL               trace, debug, info, notice, warning, error or critical (info)
      """
  )

  @Option(help: "The address or name to listen on. (default: 127.0.0.1)")
  var host: String?

  @Option(help: "The port to listen on; 0 picks a free one. (default: 8080)")
  var port: Int?

  @Option(help: ArgumentHelp("The folder that holds the data. (default: data)", valueName: "dir"))
  var data: String?

  @Option(help: "How many event loops. (default: one for each core)")
  var loops: Int?

  @Option(help: ArgumentHelp("A file of HEARTH_NAME=value lines.", valueName: "file"))
  var config: String?

  @Flag(help: "Start although the write-ahead log is missing, without what was stored last.")
  var acceptLostLog = false

  @Flag(help: "Fill an empty data folder with a family to try things out with.")
  var demo = false

  func validate() throws {
    if let port, !(0...65_535).contains(port) { throw ValidationError("--port must be from 0 to 65,535.") }
    if let loops, !Self.possibleLoops.contains(loops) { throw ValidationError("--loops must be from 1 to 256.") }
  }

  private static let possibleLoops = 1...256

  func run() async throws {
    let given = ProcessInfo.processInfo.environment
    let file = try (config ?? given["HEARTH_CONFIG"]).map { try ConfigurationFile(path: $0).variables } ?? [:]
    let environment = try Environment(file.merging(given) { _, environment in environment })
    var options = ServerOptions()
    options.host = try host ?? environment.text("HOST") ?? options.host
    options.port = try port ?? environment.number("PORT", in: 0...65_535) ?? options.port
    options.dataDirectory = try data ?? environment.text("DATA") ?? options.dataDirectory
    options.loops = try loops ?? environment.number("LOOPS", in: Self.possibleLoops)
    options.isDemonstration = demo
    try environment.configure(&options.configuration)
    options.configuration.acceptsLostLog = acceptLostLog
    let log = Log.standardError(level: try environment.logLevel())

    let server = try await Server(options, log: log)
    // An IPv6 address in a URL stands in brackets.
    let host = options.host.contains(":") ? "[\(options.host)]" : options.host
    try await server.runUntilSignal {
      // Written at once, whatever standard output is: scripts wait for this line.
      try FileHandle.standardOutput.write(
        contentsOf: Data("Hearth is listening on http://\(host):\(server.port)/graphql\n".utf8)
      )
    }
  }
}
