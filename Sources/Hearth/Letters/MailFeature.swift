extension Feature {
  /// Mail that was sent or given up.
  static let mail = Feature(
    name: "mail",
    sweeps: [Sweep(QueuedMail.sweep)]
  )
}
