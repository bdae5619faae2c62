extension Documents {
  static let registerDevice = """
    mutation ($input: RegisterDeviceInput!) {
      registerDevice(input: $input) { device { id kind name current session { id } } \(errors) } }
    """
  static let unregisterDevice = "mutation ($id: ID!) { unregisterDevice(id: $id) { removedId \(errors) } }"
  static let updateNotificationSettings = """
    mutation ($input: UpdateNotificationSettingsInput!) {
      updateNotificationSettings(input: $input) {
        account { notificationSettings { muted quietHours { from until includesReminders } } }
        child { notificationSettings { muted quietHours { from until includesReminders } } } \(errors) } }
    """
  static let devices = "{ viewer { ... on Account { devices { id name } } } }"
}

extension Client {
  /// Registers a device with this address and returns its id.
  func register(_ address: Value, name: String? = nil) async throws -> Outcome {
    var input: Value = ["address": address]
    if let name { input = input.setting("name", .string(name)) }
    return try await perform(Documents.registerDevice, ["input": input])
  }

  /// The names of an adult's devices.
  func deviceNames() async throws -> [String] {
    try await ask(Documents.devices)["data.viewer.devices"].each("name").map { $0.string ?? "" }
  }
}
