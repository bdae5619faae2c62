/// The value of the event for which a subscription is executed.
///
/// A class, because every execution has an optional one: copying and destroying an optional value of any type took 280
/// instructions of each request without an event.
package final class EventValue: Sendable {
  let value: any Sendable

  package init(_ value: any Sendable) { self.value = value }
}
