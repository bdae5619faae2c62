extension Feature {
  /// Mail, the deletion of mails that were sent or given up, and the addresses that receive no invitations any more.
  static let mail = Feature(
    name: "mail",
    objects: ["StopInvitationsPayload": Payload.binding(done: "stopped")],
    mutations: ["stopInvitations": StopInvitations.mutation],
    sweeps: [Sweep(QueuedMail.sweep)]
  )
}
