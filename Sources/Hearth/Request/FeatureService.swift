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

/// The services of the features, and what they depend on.
struct FeatureServices: Sendable {
  private let core: CoreServices
  private var values: [String: any Sendable] = [:]
  /// In the order of their creation. They start and stop with the server.
  private(set) var schedulers: [Scheduler] = []

  /// The data folder.
  var directory: String { core.data.directory }
  var database: Database { core.data.database }
  var erasureRecord: ErasureRecord { core.data.erasureRecord }
  var cipher: IdentifierCipher { core.cipher }
  var pictures: PictureStore { core.pictures }
  var mail: MailQueue { core.mail }
  var clockWatch: ClockWatch { core.clockWatch }
  var reminderLateness: Histogram { core.reminderLateness }
  var work: WorkEnvironment { core.work }
  var log: Logger { core.work.log }

  /// - Parameter services: the services of all features. A service is created after those before it.
  init(_ services: [any AnyFeatureService] = [], core: CoreServices) throws {
    self.core = core
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
