import GraphQL

enum SubscriptionType {
  static let binding = ObjectBinding(
    fields: [
      "familyChanged": FamilyChanged.field,
      "reminderDue": ReminderDue.field,
      "notificationReceived": NotificationReceived.field,
    ],
    sources: [
      "familyChanged": FamilyChanged.source,
      "reminderDue": ReminderDue.source,
      "notificationReceived": NotificationReceived.source,
    ]
  )
}
