import GraphQL

extension Feature {
  /// Types that several features use.
  static let sharedTypes = Feature(
    name: "shared types",
    objects: [
      "RemovePayload": RemovePayload.binding,
      "Image": Picture.binding,
      "PageInfo": .pageInfo,
      "UserError": UserError.binding,
      "UserErrorParameter": UserError.Parameter.binding,
    ],
    sweeps: [Sweep(IdempotentWrite.sweep, age: IdempotentWrite.retention)]
  )
}
