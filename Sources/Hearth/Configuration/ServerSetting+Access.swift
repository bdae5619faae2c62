extension ServerSetting {
  /// Who can reach the server, with which documents, and what the schema shows.
  static let access: [ServerSetting] = [
    ServerSetting(
      "PUBLIC_URL",
      default: "that of each request; in mails that at which the server listens",
      "the public URL, such as `https://hearth.example.com`: picture URLs and links in mails begin with it, and its pages can open WebSockets"
    ) { given, configuration throws(InvalidSetting) in
      if let url = try given.urlOfPages(like: "https://hearth.example.com") { configuration.publicURL = url }
    },
    ServerSetting(
      "CLIENT_ADDRESS_HEADER",
      default: "none",
      "the header in which your proxy sends the client's address, of which the last one counts; required for [rate limits](#rate-limits)"
    ) { given, configuration throws(InvalidSetting) in
      guard let header = given.text else { return }
      guard header.wholeMatch(of: /[A-Za-z0-9\-]+/) != nil else {
        throw given.invalid("must be the name of a header: letters, digits and hyphens.")
      }
      configuration.clientAddressHeader = header.lowercased()
    },
    ServerSetting(
      "ALLOWED_ORIGINS",
      default: "none",
      "web pages that can read responses and open WebSockets: comma-separated origins, or `*`"
    ) { given, configuration throws(InvalidSetting) in
      guard let origins = given.list else { return }
      guard origins.allSatisfy({ $0 == "*" || $0.wholeMatch(of: /https?:\/\/[^\/\s]+/) != nil }) else {
        throw given.invalid("must list origins as https://app.example.com, or be *.")
      }
      configuration.allowedOrigins = Set(origins)
    },
    ServerSetting(
      "TRUSTED_DOCUMENTS",
      default: "none",
      "trusted documents that requests can name: a folder of `.graphql` files, or a manifest; read and validated at the start"
    ) { given, configuration in
      configuration.trustedDocuments = given.text ?? configuration.trustedDocuments
    },
    // It depends on `TRUSTED_DOCUMENTS`, so it comes after it.
    ServerSetting(
      "ACCEPTED_DOCUMENTS",
      default: Configuration().acceptedDocuments.rawValue,
      "`any` or `trusted`: the documents that are executed"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard let accepted = Configuration.AcceptedDocuments(rawValue: text),
        accepted == .any || configuration.trustedDocuments != nil
      else { throw given.invalid("must be any, or trusted if HEARTH_TRUSTED_DOCUMENTS is set.") }
      configuration.acceptedDocuments = accepted
    },
    .choice("INTROSPECTION", property: \.introspection, "`everyone` or `signed-in`: who can use introspection"),
    .requestTimes,
    .flag(
      "SUBGRAPH",
      property: \.isSubgraph,
      "whether the schema is a subgraph of a supergraph, `yes` or `no`: see [Federation](federation.md)"
    ),
    .number(
      "CONNECTIONS_PER_PERSON",
      property: \.connectionsPerPerson,
      in: 1...1_000_000,
      "the maximum number of open WebSockets and event streams per person; a family has five times as many"
    ),
    .number("BATCH_SIZE", property: \.batchSize, in: 1...100, "the maximum number of requests in one body, as a list"),
    .number(
      "CALLER_SHARE",
      property: \.callerShare,
      in: 1...100,
      "the percentage of a loop's time that a family with slow requests gets, or a network without a session; 100 for no limit: see [rate limits](#rate-limits)"
    ),
  ]
}
