extension Server {
  /// What a server sends by itself: mails and notifications.
  struct Delivery: Sendable {
    let composer: MailComposer
    let mail: MailDelivery
    let pushes: PushDelivery

    /// - Parameter endpoint: the URL at which the server listens.
    init(_ options: ServerOptions, services: Services, endpoint: String) throws {
      let configuration = options.configuration
      composer = MailComposer(
        // Never the host of a request: its sender could choose where the link in another person's mail leads.
        links: MailLinks(baseURL: configuration.appURL ?? configuration.publicURL ?? endpoint),
        serverLinks: MailLinks(baseURL: configuration.publicURL ?? endpoint),
        sender: Mailbox(name: configuration.appName, address: configuration.mailSender),
        appName: configuration.appName,
        templates: configuration.mailTemplates,
        defaultLanguage: configuration.defaultLanguage,
        key: services.keys.identifier,
        limits: services.rateLimits
      )
      mail = try MailDelivery(
        services.mail,
        in: services.work,
        transport: MailDestination(configuration.mail, in: options.dataDirectory).transport,
        delivers: configuration.delivers,
        compose: composer.compose
      )
      pushes = try PushDelivery(
        services.pushes,
        in: services.work,
        senders: configuration.delivers ? services.pushSenders : [:],
        compose: PushComposer(cipher: services.cipher, defaultLanguage: configuration.defaultLanguage).compose
      )
    }
  }
}
