import GraphQL

extension Feature {
  /// Chores, points, repetition and reminders.
  static let chores = Feature(
    name: "chores",
    objects: [
      "Chore": ChoreType.binding,
      "ChorePayload": Payload.binding("chore"),
      "FinishedChore": FinishedChoreType.binding,
      "PreloadChoresPayload": Payload.binding("chores"),
      "AssignPointsPayload": Payload.binding("child", "finishedChores"),
      "ChoreChanged": FeedEventType.subject("chore"),
      "ChoreRemoved": FeedEventType.removed("choreId"),
      "PointsAssigned": FeedEventType.pointsAssigned,
      "Reminder": ReminderType.binding,
      "ReminderPayload": Payload.binding("reminder"),
      "ChoreConnection": .connection,
      "ChoreEdge": .edge,
      "FinishedChoreConnection": .connection,
      "FinishedChoreEdge": .edge,
      "ReminderConnection": .connection,
      "ReminderEdge": .edge,
    ],
    mutations: [
      "addChore": AddChore.mutation,
      "updateChore": UpdateChore.mutation,
      "finishChore": FinishChore.finish,
      "reopenChore": FinishChore.reopen,
      "approveChore": ApproveChore.approve,
      "returnChore": ApproveChore.sendBack,
      "removeChore": RemoveChore.mutation,
      "assignPoints": AssignPoints.mutation,
      "preloadChores": PreloadChores.mutation,
      "setReminder": SetReminder.mutation,
      "answerReminder": AnswerReminder.mutation,
      "removeReminder": RemoveReminder.mutation,
    ],
    subscriptions: ["reminderDue": Subscription(source: ReminderDue.source, field: ReminderDue.field)],
    lookups: [.chore: ChoreType.present],
    services: [ReminderScheduler.service, PeriodTurn.service, Unassignment.service],
    preparations: [{ $0.feed.addTopic(ReminderDue.topicName, readBy: ReminderDue.entries) }]
  )
}
