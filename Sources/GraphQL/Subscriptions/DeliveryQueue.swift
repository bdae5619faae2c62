/// The members of a group at one moment.
struct Recipients {
  let members: [Subscription]
  /// Equal if the members are.
  let membership: Int
}

/// The responses that some members of a group have not received yet, because the group is large: they are delivered in
/// slices.
struct DeliveryQueue {
  /// Responses that the same members receive, in this order.
  private struct Delivery {
    var responses: [SubscriptionResponse]
    let recipients: Recipients
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
  private(set) var byteCount = 0

  var isEmpty: Bool { deliveries.isEmpty }

  /// Adds a response. It joins the last delivery if that has not begun and has the same recipients, so that each of
  /// them receives both with one write.
  mutating func append(_ response: SubscriptionResponse, for recipients: Recipients) {
    count += 1
    byteCount += response.json.count
    let hasLastBegun = deliveries.count == 1 && served > 0
    if deliveries.last?.recipients.membership == recipients.membership && !hasLastBegun {
      deliveries[deliveries.count - 1].responses.append(response)
    } else {
      deliveries.append(Delivery(responses: [response], recipients: recipients))
    }
  }

  /// Removes the part of at most `count` members from the first delivery. Returns nil if the queue is empty.
  mutating func popSlice(of count: Int) -> Slice? {
    guard let first = deliveries.first else { return nil }
    let members = first.recipients.members
    let slice = Slice(responses: first.responses, members: members[served...].prefix(count))
    served += slice.members.count
    if served == members.count {
      deliveries.removeFirst()
      served = 0
      self.count -= first.responses.count
      byteCount -= first.responses.reduce(0) { $0 + $1.json.count }
    }
    return slice
  }
}
