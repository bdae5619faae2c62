import GraphQL

extension PhoneNumber {
  static let binding = ObjectBinding(fields: [
    "number": .property { (phone: PhoneNumber) in .string(phone.number) },
    "countryCode": .property { (phone: PhoneNumber) in .string(phone.countryCode) },
    "extension": .property { (phone: PhoneNumber) in LeafValue(phone.extension) },
    "e164": .property { (phone: PhoneNumber) in .string(phone.e164) },
    "formatted": .property { (phone: PhoneNumber) in .string(phone.formatted) },
  ])
}
