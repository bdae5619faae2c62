extension ServerSetting {
  /// Traces and metrics that leave the server.
  static let telemetry: [ServerSetting] = [
    ServerSetting(
      "OTLP_ENDPOINT",
      default: "none",
      "the URL of a collector that receives traces and metrics by OTLP over HTTP, such as `http://127.0.0.1:4318`: see [Traces](tracing.md)"
    ) { given, configuration throws(InvalidSetting) in
      if let url = try given.url() { configuration.telemetry.endpoint = url }
    },
    ServerSetting(
      "OTLP_HEADERS",
      default: "none",
      "headers of requests to the collector: `name=value` pairs with commas between them, values percent-encoded"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard let headers = TelemetryHeaders(text) else {
        throw given.invalid("must be name=value pairs with commas between them.")
      }
      configuration.telemetry.headers = headers
    },
    ServerSetting(
      "TRACE_RATIO",
      default: "\(Configuration().telemetry.ratio)",
      "the share of requests that are traced, from 0 to 1, of those without a `traceparent` header"
    ) { given, configuration throws(InvalidSetting) in
      guard let text = given.text else { return }
      guard let ratio = Double(text), (0...1).contains(ratio) else {
        throw given.invalid("must be a number from 0 to 1.")
      }
      configuration.telemetry.ratio = ratio
    },
  ]
}
