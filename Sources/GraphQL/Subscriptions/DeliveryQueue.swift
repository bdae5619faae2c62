/// The responses that some members of a group have not received yet, because the group is large: they are delivered in
/// slices.
struct DeliveryQueue {
  /// Responses that the same members receive, in this order.
  private struct Delivery {
    var responses: [SubscriptionResponse]
    let members: [Subscription]
    /// Of the group, when the responses were published.
    let membership: Int
  }

  struct Slice {
    let responses: [SubscriptionResponse]
    let members: ArraySlice<Subscription>
  }

  private var deliveries: [Delivery] = []
  /// How many members have received the first delivery.
  private var served = 0
  /// The number of responses in the queue.
  private(set) var count = 0

  var isEmpty: Bool { deliveries.isEmpty }

  /// Adds a response for the members of a group. What joins the group later does not receive it.
  ///
  /// - Parameter membership: Changes whenever the members do. A member receives the responses of one membership
  ///   together, so that they are written together.
  mutating func append(_ response: SubscriptionResponse, for members: [Subscription], membership: Int) {
    count += 1
    let isLastStarted = deliveries.count == 1 && served > 0
    if deliveries.last?.membership == membership && !isLastStarted {
      deliveries[deliveries.count - 1].responses.append(response)
    } else {
      deliveries.append(Delivery(responses: [response], members: members, membership: membership))
    }
  }

  /// Removes at most `count` members' part of the first delivery. Returns nil if the queue is empty.
  mutating func popSlice(of count: Int) -> Slice? {
    guard let first = deliveries.first else { return nil }
    let slice = Slice(responses: first.responses, members: first.members[served...].prefix(count))
    served += slice.members.count
    if served == first.members.count {
      deliveries.removeFirst()
      served = 0
      self.count -= first.responses.count
    }
    return slice
  }
}
