import Basics
import EventLoop
import GraphQL
import GraphQLTransport
import HTTP
import HTTPServer
import Synchronization
import TestSupport

/// The state shared by all loops of a test's server: the news so far, and the sessions.
final class NewsDesk: Sendable {
  struct News: Sendable {
    let number: Int64
    let text: String
  }

  private struct State {
    var kept: [News] = []
    var executions = 0
    var observers: [@Sendable ([Int64]) -> Void] = []
    var ended: Set<Int64> = []
  }
  private let state = Mutex(State())

  /// How often a request ended its snapshot.
  let suspensions = Counter()
  /// How often a caller was checked after its request had waited.
  let checks = Counter()

  /// The contexts of requests that have not ended.
  let contexts = ContextCount()

  /// How often the rights of sessions have changed.
  let rights = Counter()

  /// How often the tokens of all callers have expired.
  let expiries = Counter()

  func nextNumber() -> Int64 { state.withLock { ($0.kept.last?.number ?? 0) + 1 } }

  private let said = Mutex<@Sendable (String) async -> Void>({ _ in })

  /// The effect of the mutation `say`.
  func say(_ text: String) async { await said.withLock { $0 }(text) }
  func whenSaid(_ body: @escaping @Sendable (String) async -> Void) { said.withLock { $0 = body } }

  private let readingKept = Mutex<@Sendable () throws -> Void>({})

  /// Registers `body`, which is called on the loop each time stored news are read.
  func whenKeptIsRead(_ body: @escaping @Sendable () throws -> Void) { readingKept.withLock { $0 = body } }
  func keptIsRead() throws { try readingKept.withLock { $0 }() }

  /// The news that were kept after a number.
  func kept(after number: Int64) -> [News] { state.withLock { $0.kept.filter { $0.number > number } } }
  /// All news, as a request reads them that must wait for them.
  func fetch() -> [News] {
    let fetched = kept(after: 0)
    fetching.withLock { $0 }()
    return fetched
  }

  /// Known to the contexts of requests, which tell the client more.
  struct Outage: Error {}
  struct Defect: Error {}

  private let following = Mutex<@Sendable () throws -> Void>({})

  /// Registers `body`, which is called on the loop before the context of an event is made.
  func whenFollowing(_ body: @escaping @Sendable () throws -> Void) { following.withLock { $0 = body } }
  func follow() throws { try following.withLock { $0 }() }

  private let reported = Mutex<[String]>([])
  var reports: [String] { reported.withLock { $0 } }
  func report(_ text: String) { reported.withLock { $0.append(text) } }

  private let fetching = Mutex<@Sendable () -> Void>({})

  /// Registers `body`, which is called on the loop each time news have been fetched.
  func whenFetched(_ body: @escaping @Sendable () -> Void) { fetching.withLock { $0 = body } }

  private let readingFar = Mutex<@Sendable () async -> Void>({})

  /// Registers `body`, which is called before a `far-` token's reads are answered.
  func whenReadingFar(_ body: @escaping @Sendable () async -> Void) { readingFar.withLock { $0 = body } }
  func readFar() async { await readingFar.withLock { $0 }() }

  private let identifying = Mutex<@Sendable () async throws -> Void>({})

  /// Registers `body`, which is called before a `slow-` token is known.
  func whenIdentifying(_ body: @escaping @Sendable () async throws -> Void) { identifying.withLock { $0 = body } }
  func identify() async throws { try await identifying.withLock { $0 }() }

  func keep(_ news: News) { state.withLock { $0.kept.append(news) } }

  /// How often a piece of news has been executed.
  var executions: Int { state.withLock { $0.executions } }
  func countExecution() { state.withLock { $0.executions += 1 } }

  func observe(_ body: @escaping @Sendable ([Int64]) -> Void) { state.withLock { $0.observers.append(body) } }
  func hasEnded(_ session: Int64) -> Bool { state.withLock { $0.ended.contains(session) } }
  func end(_ session: Int64) {
    let observers = state.withLock { state in
      state.ended.insert(session)
      return state.observers
    }
    for observer in observers { observer([session]) }
  }
}

/// A service whose tokens name the caller: `Bearer ada` is Ada with session 1, `Bearer bob` Bob with 2. `slow-ada`
/// takes waiting, `brief-ada` expires in a moment, and `expired` has. `far-ada` reads in passes. `guest7` is one of any
/// number of guests.
final class NewsService: GraphQLService {
  final class Context: ExecutionContext {
    let desk: NewsDesk
    let viewer: String?
    let token: String?
    init(_ desk: NewsDesk, token: String?) {
      self.desk = desk
      self.token = token
      let name = token?.split(separator: "-").last.map(String.init)
      viewer = name.flatMap { NewsService.person(named: $0) == nil ? nil : $0 }
      desk.contexts.add(1)
    }

    deinit { desk.contexts.add(-1) }

    // MARK: Passes

    private var fetched: [NewsDesk.News]?
    private var isMissing = false
    var answersAtOnce: Bool { token?.hasPrefix("far-") != true }
    func beginPass() { isMissing = false }
    func endPass() -> Bool { isMissing }
    func answers(canBeginAgain _: Bool) async {
      await Task.yield()
      await desk.readFar()
      fetched = desk.fetch()
    }

    func kept(after number: Int64) -> [NewsDesk.News] {
      if answersAtOnce { return desk.kept(after: number) }
      guard let fetched else {
        isMissing = true
        return []
      }
      return fetched.filter { $0.number > number }
    }

    func objectType(of key: Int64) -> TypeID? { nil }
    func willSuspend() { desk.suspensions.increment() }
    func checkCaller() { desk.checks.increment() }
    func report(_ error: any Error, at field: String) { desk.report("\(field): \(error)") }
    func fieldError(for error: any Error) -> FieldError? {
      error is NewsDesk.Outage
        ? FieldError("The archive is closed.", code: ErrorCode(rawValue: "CLOSED"), retryAfter: 9) : nil
    }
  }

  private static let people: [String: Int64] = ["ada": 1, "bob": 2]

  private static func person(named name: String) -> Int64? {
    name.hasPrefix("guest") ? Int64(name.dropFirst(5)).map { 1000 + $0 } : people[name]
  }

  let executable: ExecutableSchema
  let isIntrospectionPublic = true
  private let desk: NewsDesk

  init(_ executable: ExecutableSchema, _ desk: NewsDesk) {
    self.executable = executable
    self.desk = desk
  }

  private func token(of caller: Caller) -> String? {
    caller.authorization.map { String($0.text.dropFirst("Bearer ".count)) }
  }

  func knownContext(for caller: Caller) throws -> Context? {
    let token = token(of: caller)
    return token?.hasPrefix("slow-") == true ? nil : Context(desk, token: token)
  }

  func address(of request: HTTPRequest) -> String? { nil }

  func network(of request: HTTPRequest?, peer: String?) -> Payer? {
    request?["x-network"].map { Payer(.network, key: UInt64($0.first ?? 0)) }
  }

  func context(for caller: Caller, _ files: [UploadedFile]) async throws -> Context {
    await Task.yield()
    try await desk.identify()
    return Context(desk, token: token(of: caller))
  }

  func context(for subscriber: Context) throws -> Context {
    try desk.follow()
    return Context(desk, token: subscriber.token)
  }

  func identity(of context: Context) -> ConnectionIdentity {
    guard let token = context.token else { return .anonymous }
    guard desk.expiries.count == 0, let viewer = context.viewer, let session = Self.person(named: viewer) else {
      return .rejected(GraphQLError("The access token has expired.", code: ErrorCode(rawValue: "TOKEN_EXPIRED")))
    }
    if desk.hasEnded(session) {
      return .rejected(GraphQLError("The session has ended.", code: ErrorCode(rawValue: "TOKEN_REVOKED")))
    }
    return .signedIn(
      SessionIdentity(
        id: session,
        rights: Int64(desk.rights.count),
        person: session,
        expiresIn: token.hasPrefix("brief-") ? 20 : nil
      )
    )
  }

  func whenSessionsChange(_ body: @escaping @Sendable ([Int64]?, SessionChange) -> Void) {
    desk.observe { body($0, .ended) }
  }
  func allowsIntrospection(_ context: Context) -> Bool { true }
  func payer(of context: Context) -> Payer? {
    context.viewer.flatMap { Self.person(named: $0) }.map { Payer(.person, key: UInt64($0)) }
  }
  func finish(_ context: Context) {}
  func reasonNotReady() -> String? { nil }
  func answer(_ request: HTTPRequest) async -> HTTPAnswer? { nil }
}

/// The schema and what resolves it.
enum NewsSchema {
  static let sdl = """
    directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
    directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD

    type Query {
      hello(name: String! = "you"): String!
      me: String
      waiting: String!
      long(bytes: Int!): String!
      busy: Boolean!
      broken: Boolean
      "Ends the session of Ada."
      signOut: Boolean!
      "Changes the rights of everybody's session."
      changeRights: Boolean!
    }
    type Mutation { say(text: String!): String! }
    type Subscription {
      news(topic: String! = "news"): News!
      kept: News!
      "All kept news. Those up to the resume position, or without one up to now, are marked as replayed."
      unread: News!
      counted: Int!
      waiting: News!
      checked: News!
      mine: News!
    }
    type News { number: Int! text: String! viewer: String }
    """

  static func executable() throws -> ExecutableSchema {
    try ExecutableSchema(
      try SchemaBuilder.build(sdl),
      objects: [
        "Query": ObjectBinding(fields: [
          "hello": .leaf(needs: []) { .string("Hello, \($0.arguments["name"]?.string ?? "")!") },
          "me": .leaf(needs: []) { context($0.context).viewer.map { .string($0) } ?? .null },
          "waiting": .asyncLeaves(needs: []) { views, _ in
            let count = views.count
            return {
              await Task.yield()
              return Array(repeating: .success(.string("waited")), count: count)
            }
          },
          // Takes 30 ms of the loop.
          "busy": .leaf(needs: []) { _ in
            let start = ThreadClock.nanoseconds
            while ThreadClock.nanoseconds - start < 30_000_000 {}
            return .boolean(true)
          },
          "broken": .leaf(needs: []) { _ in throw FieldError("It is broken.", code: .badUserInput) },
          "signOut": .leaf(needs: []) {
            context($0.context).desk.end(1)
            return .boolean(true)
          },
          "changeRights": .leaf(needs: []) {
            context($0.context).desk.rights.increment()
            return .boolean(true)
          },
          "long": .leaf(needs: []) {
            context($0.context).desk.countExecution()
            return .string(String(repeating: "x", count: Int($0.arguments["bytes"]?.int ?? 0)))
          },
        ]),
        "Mutation": ObjectBinding(fields: [
          // A root field has one object.
          "say": .asyncLeaves(needs: []) { views, any in
            let text = views.first?.arguments["text"]?.string ?? ""
            let desk = context(any).desk
            return {
              await desk.say(text)
              return [.success(.string(text))]
            }
          }
        ]),
        "Subscription": ObjectBinding(
          fields: [
            "news": news, "kept": news, "unread": news, "mine": news, "checked": news,
            "counted": .leaf(needs: []) { view in .int(view.value(as: NewsDesk.News.self)?.number ?? 0) },
            "waiting": .asyncLoad(needs: []) { batch, context in
              let value: NewsDesk.News? = batch.view(0, in: context).value()
              await Task.yield()
              if let value { batch.add(0, value: value, of: batch.resultType) }
            },
          ],
          sources: [
            "news": { arguments, _, any in
              SourceStream(Topic(arguments["topic"]?.string ?? ""), visibility: 0, caller: context(any).viewer)
            },
            "counted": { _, _, _ in SourceStream(Topic("news"), visibility: 0) },
            "waiting": { _, _, _ in SourceStream(Topic("news"), visibility: 0) },
            "checked": { _, _, _ in
              SourceStream(
                Topic("news"),
                visibility: 0,
                isCurrent: { _, any in
                  try context(any).desk.keptIsRead()
                  return true
                }
              )
            },
            "mine": { _, _, any in
              guard let viewer = context(any).viewer else {
                throw FieldError("Nobody is signed in.", code: ErrorCode(rawValue: "UNAUTHENTICATED"))
              }
              return SourceStream(Topic("news"), visibility: viewer)
            },
            "kept": { _, resume, any in
              let desk = context(any).desk
              let first = try resume.map { text in
                guard let position = Int64(text) else {
                  throw FieldError("This is no position.", code: .badUserInput)
                }
                return position
              }
              return SourceStream(Topic("news"), visibility: 0, after: first) { after, any in
                try desk.keptIsRead()
                // In small pieces, so that there are several.
                let news = context(any).kept(after: after ?? 0).prefix(3)
                return SourceBacklog(
                  news.map { SourceEvent($0, position: $0.number) },
                  reached: news.last?.number ?? after ?? 0
                )
              }
            },
            "unread": { _, resume, any in
              let seen = resume.flatMap { Int64($0) } ?? context(any).desk.nextNumber() - 1
              return SourceStream(Topic("news"), visibility: 0, after: 0) { after, any in
                // In one piece.
                let news = context(any).kept(after: after ?? 0)
                return SourceBacklog(
                  news.map { SourceEvent($0, position: $0.number, isReplay: $0.number <= seen) },
                  reached: news.last?.number ?? after ?? 0
                )
              }
            },
          ]
        ),
        "News": ObjectBinding(fields: [
          "number": .leaf(needs: []) { .int($0.value(as: NewsDesk.News.self)?.number ?? 0) },
          "text": .leaf(needs: []) { view in
            context(view.context).desk.countExecution()
            return .string(view.value(as: NewsDesk.News.self)?.text ?? "")
          },
          "viewer": .leaf(needs: [], dependsOnCaller: true) { context($0.context).viewer.map { .string($0) } ?? .null },
        ]),
      ]
    )
  }

  private static let news = FieldBinding.load(needs: []) { batch, context in
    if let value: NewsDesk.News = batch.view(0, in: context).value() {
      batch.add(0, value: value, of: batch.resultType)
    }
  }

  private static func context(_ context: any ExecutionContext) -> NewsService.Context {
    guard let context = context as? NewsService.Context else { preconditionFailure("the service's own context") }
    return context
  }
}
