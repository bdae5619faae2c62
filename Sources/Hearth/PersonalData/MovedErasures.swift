import Storage

/// The erasures that a wrong clock has scheduled. With an erasure the deactivation or removal is moved, since the time
/// in which an account can return begins with it.
enum MovedErasures {
  typealias Period = (from: Timestamp, until: Timestamp)

  static let people = SQL<Period>(
    """
    SELECT id, deactivated_at, erase_at FROM person \(index: "person_to_erase") \
    WHERE erase_at >= \(\.from) AND erase_at <= \(\.until)
    """
  )
  static let children = SQL<Period>(
    """
    SELECT id, removed_at, erase_at, family_id FROM child \(index: "child_to_erase") \
    WHERE erase_at >= \(\.from) AND erase_at <= \(\.until)
    """
  )
  static let movePerson = SQL<(person: GlobalID, deactivatedAt: Timestamp, eraseAt: Timestamp)>(
    """
    UPDATE person SET deactivated_at = \(\.deactivatedAt), erase_at = \(\.eraseAt) WHERE id = \(\.person)
    """
  )
  static let moveChild = SQL<(family: GlobalID, child: GlobalID, removedAt: Timestamp, eraseAt: Timestamp)>(
    """
    UPDATE child SET removed_at = \(\.removedAt), erase_at = \(\.eraseAt) \
    WHERE family_id = \(\.family) AND id = \(\.child)
    """
  )

  static let deadlines = MovableDeadlines(lease: Erasure.lease) { move, write in
    let period: Period = (
      from: Timestamp(move.setFrom + AccountReturn.period), until: Timestamp(move.setUntil + AccountReturn.period)
    )
    // Before the erasure was scheduled, the account can have been deactivated long ago, at the right time.
    func moved(_ time: Int64) -> Timestamp {
      Timestamp((move.setFrom...move.setUntil).contains(time) ? time + move.length : time)
    }
    let foundPeople = try write.reader.all(of: people, period) { row in
      (key: row.key(0), deactivatedAt: row.int64(1), eraseAt: row.int64(2))
    }
    for person in foundPeople {
      let eraseAt = Timestamp(person.eraseAt + move.length)
      let deactivatedAt = moved(person.deactivatedAt)
      try write.transaction.run(movePerson, (person: person.key, deactivatedAt: deactivatedAt, eraseAt: eraseAt))
    }
    let foundChildren = try write.reader.all(of: children, period) { row in
      (
        key: row.key(0), removedAt: row.int64(1), eraseAt: row.int64(2),
        family: row.key(3)
      )
    }
    for child in foundChildren {
      let (family, eraseAt) = (child.family, Timestamp(child.eraseAt + move.length))
      let removedAt = moved(child.removedAt)
      try write.transaction.run(moveChild, (family: family, child: child.key, removedAt: removedAt, eraseAt: eraseAt))
      write.inFamily(family).record(.familyChanged)
    }
    return foundPeople.count + foundChildren.count
  }
}
