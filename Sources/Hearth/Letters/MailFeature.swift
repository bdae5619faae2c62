extension Feature {
  /// Mail, and the deletion of mails that were sent or given up.
  static let mail = Feature(
    name: "mail",
    sweeps: [Sweep(QueuedMail.sweep)]
  )
}
