import GraphQL

extension Feature {
  /// Notifications of adults and children about actions of others.
  static let notifications = Feature(
    name: "notifications",
    objects: NotificationType.bindings.merging([
      "MarkReadPayload": Payload.binding("account", "child"),
      "NotificationConnection": .connection,
      "NotificationEdge": .edge,
    ]) { own, _ in own },
    mutations: [
      "markNotificationsRead": MarkNotificationsRead.mutation
    ],
    subscriptions: [
      "notificationReceived": Subscription(source: NotificationReceived.source, field: NotificationReceived.field)
    ],
    preparations: [{ $0.feed.addTopic(NotificationReceived.topicName, readBy: NotificationReceived.entries) }]
  )
}
