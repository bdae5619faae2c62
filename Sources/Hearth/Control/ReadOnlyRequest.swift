/// `hearth read-only`: turns the read-only mode on or off until the server ends.
package struct ReadOnlyRequest: OperatorCommand, ServedCommand {
  package struct Response: Codable, Sendable {
    package let isReadOnly: Bool
  }

  package static let words = "read-only"

  package let isOn: Bool

  package init(isOn: Bool) { self.isOn = isOn }

  func run(on server: ControlledServer) async throws -> Response {
    server.services.readOnlyMode.isOn = isOn
    server.log("has turned the read-only mode \(isOn ? "on" : "off").")
    return Response(isReadOnly: isOn)
  }
}
