import Storage

extension Migration {
  static let all: [Migration] = [
    .household, .familyLife, .identity, .pictures, .periods, .identityProviders, .contactBook, .search, .feed,
    .rejections, .consent, .feedWindows, .familyBeginnings, .sessionOrigins, .mailLanes, .groupAccess, .familyParting,
  ]
}
