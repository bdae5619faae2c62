import Bytes
import EventLoop
import Foundation
import GraphQL
import GraphQLTransport
import HTTP
import HTTPServer
import Storage

/// Executes the commands of the control socket.
actor ControlHandler: HTTPHandler {
  /// All commands, by their paths.
  static let commands: [String: any ServedCommand.Type] = {
    let all: [any ServedCommand.Type] = [
      StatusRequest.self, ListAccountsRequest.self, ShowAccountRequest.self, ExportAccountRequest.self,
      DeleteAccountRequest.self, ReactivateAccountRequest.self, ResetPasswordRequest.self, SignOutAccountRequest.self,
      ShowFamilyRequest.self, SendTestMailRequest.self, ShowMailQueueRequest.self, RetryMailRequest.self,
      ShowPushQueueRequest.self, RetryPushRequest.self, RotateKeysRequest.self, ReadOnlyRequest.self,
    ]
    return Dictionary(uniqueKeysWithValues: all.map { ($0.path, $0) })
  }()

  nonisolated let loop: EventLoop
  private let server: ControlledServer

  nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

  init(_ server: ControlledServer, on loop: EventLoop) {
    self.server = server
    self.loop = loop
  }

  func answer(_ request: HTTPRequest) -> HTTPAnswer {
    let path = request.path.text
    guard let command = Self.commands[path] else {
      let failure = CommandFailure("This server does not know the command: it is another version than the program.")
      return .response(Self.response(.notFound, failure: failure))
    }
    guard request.method == .post else {
      return .response(Self.response(.methodNotAllowed, failure: CommandFailure("Commands are sent by POST.")))
    }
    let body = Data(request.body)
    let server = server
    return .deferred { _ in await Self.respond(to: command, body, on: server) }
  }

  private static func respond(
    to command: any ServedCommand.Type,
    _ body: Data,
    on server: ControlledServer
  ) async -> HTTPAnswer {
    do {
      return .response(response(.ok, json: try await run(command, body: body, on: server)))
    } catch {
      return .response(response(.badRequest, failure: failure(of: error)))
    }
  }

  private static func run<Command: ServedCommand>(
    _: Command.Type,
    body: Data,
    on server: ControlledServer
  ) async throws -> Data {
    let command: Command
    do {
      command = try ControlJSON.decode(Command.self, from: body)
    } catch {
      throw CommandFailure("The arguments of the command are not valid.")
    }
    return try ControlJSON.encode(try await command.run(on: server))
  }

  /// Only the server's user can read it, so that it may contain details.
  private static func failure(of error: any Error) -> CommandFailure {
    switch error {
    case let failure as CommandFailure: failure
    case let error as DatabaseError where error.code == .budgetExceeded:
      CommandFailure("Too much would have to be read: search for something more specific.")
    case let error as DatabaseError where error.code == .tooSlow:
      CommandFailure("The database took too long: try again later, or search for something more specific.")
    case let rejected as RejectedInput where !rejected.errors.isEmpty: CommandFailure(rejected.errors[0].message.text)
    case let error as FieldError: CommandFailure(error.message)
    case is WorkerPool.Overloaded: CommandFailure("Other commands are still running: try again later.")
    default: CommandFailure("The command failed: \(error)")
    }
  }

  private static func response(_ status: HTTPStatus, failure: CommandFailure) -> HTTPResponse {
    response(status, json: (try? ControlJSON.encode(failure)) ?? Data())
  }

  private static func response(_ status: HTTPStatus, json: Data) -> HTTPResponse {
    var body = ByteBuffer(capacity: json.count)
    body.append(Array(json))
    return HTTPResponse(status, headers: headers, body: body)
  }

  private static let headers = HeaderBlock(trusted: ["Content-Type": "application/json", "Cache-Control": "no-store"])
}
