import GraphQL

extension Feature {
  /// Lists of things to buy.
  static let items = Feature(
    name: "items",
    objects: [
      "Item": ItemType.binding,
      "ItemPayload": Payload.binding("item"),
      "ItemChanged": FeedEventType.subject("item"),
      "ItemRemoved": FeedEventType.removed("itemId"),
      "ItemConnection": .connection,
      "ItemEdge": .edge,
    ],
    mutations: [
      "addItem": AddItem.mutation,
      "updateItem": UpdateItem.mutation,
      "removeItem": RemoveItem.mutation,
    ]
  )
}
