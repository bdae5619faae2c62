import Basics
import Logging
import Storage

/// A value that all requests of a feature share, such as a scheduler or a thread pool. It is created once, when the
/// server starts.
///
/// A feature declares it as a constant, lists it in its `Feature`, and reads it as `services[constant]`.
struct FeatureService<Value: Sendable>: Sendable {
  /// Unique among all features.
  let name: String
  let make: @Sendable (FeatureServices) throws -> Value

  init(_ name: String, make: @escaping @Sendable (FeatureServices) throws -> Value) {
    self.name = name
    self.make = make
  }
}

/// A `FeatureService` of any value.
protocol AnyFeatureService: Sendable {
  var name: String { get }
  func add(to services: inout FeatureServices) throws
}

extension FeatureService: AnyFeatureService {
  func add(to services: inout FeatureServices) throws { services.set(try make(services), as: name) }
}

/// What the end of a session requires besides the database.
protocol SessionEnding: Sendable {
  var endedSessions: EndedSessions { get }
  var clock: Clock { get }
}

extension Services: SessionEnding {}
extension FeatureServices: SessionEnding {}

/// The services of the features, and what they depend on.
struct FeatureServices: Sendable {
  private let data: ServerData
  let cipher: IdentifierCipher
  let pictures: PictureStore
  let mail: MailQueue
  let endedSessions: EndedSessions
  let clock: Clock
  /// For work that cannot be undone.
  let clockWatch: ClockWatch
  let log: Logger
  let reminderLateness: Histogram
  private var values: [String: any Sendable] = [:]
  /// In the order of their creation. They start and stop with the server.
  private(set) var schedulers: [Scheduler] = []

  /// The data folder.
  var directory: String { data.directory }
  var database: Database { data.database }
  var leases: Leases { data.leases }
  var erasureRecord: ErasureRecord { data.erasureRecord }

  /// - Parameter services: the services of all features. A service is created after those before it.
  init(
    _ services: [any AnyFeatureService] = [],
    data: ServerData,
    cipher: IdentifierCipher,
    pictures: PictureStore,
    mail: MailQueue,
    endedSessions: EndedSessions,
    clock: Clock,
    clockWatch: ClockWatch,
    log: Logger,
    reminderLateness: Histogram
  ) throws {
    self.data = data
    self.cipher = cipher
    self.pictures = pictures
    self.mail = mail
    self.endedSessions = endedSessions
    self.clock = clock
    self.clockWatch = clockWatch
    self.log = log
    self.reminderLateness = reminderLateness
    for service in services { try service.add(to: &self) }
  }

  /// Returns a service. A feature of this server must declare it, and it must have been created before.
  subscript<Value>(_ service: FeatureService<Value>) -> Value {
    guard let value = values[service.name] as? Value else {
      preconditionFailure("The service \(service.name) is declared by no feature, or used before it is made.")
    }
    return value
  }

  fileprivate mutating func set(_ value: any Sendable, as name: String) {
    precondition(values[name] == nil, "Two features declare the service \(name).")
    values[name] = value
    if let scheduler = value as? Scheduler { schedulers.append(scheduler) }
  }
}
