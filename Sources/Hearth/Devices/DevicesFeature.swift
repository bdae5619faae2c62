import GraphQL

extension Feature {
  /// Devices that receive notifications, and what members want to receive.
  static let devices = Feature(
    name: "devices",
    objects: [
      "Device": DeviceType.binding,
      "DevicePayload": Payload.binding("device"),
      "NotificationSettings": NotificationSettings.binding,
      "QuietHours": QuietHours.binding,
      "NotificationSettingsPayload": Payload.binding("account", "child"),
    ],
    queries: [
      "webPushKey": .leaf(needs: []) { view in
        let context = request(view.context)
        _ = try context.requireViewer()
        return .string(context.services.keys.push.publicText)
      }
    ],
    mutations: [
      "registerDevice": RegisterDevice.mutation,
      "unregisterDevice": UnregisterDevice.mutation,
      "updateNotificationSettings": UpdateNotificationSettings.mutation,
    ],
    sweeps: [Sweep(QueuedPush.sweep)],
    preparations: [WebhookDevice.prepare]
  )
}
