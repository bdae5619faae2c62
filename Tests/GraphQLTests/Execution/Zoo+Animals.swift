@testable import GraphQL

extension Zoo {
  static let colors = ["RED", "GREEN", "BLUE"]

  static let cat = ObjectBinding(
    columns: [
      .text, .integer, .key, .integer, .double, .enumeration(colors), .boolean, .text, .key,
    ],
    fields: common("Cat").merging([
      "big": .column(3),
      "weight": .column(4),
      "color": .column(5),
      "isTame": .column(6),
      "code": .column(7),
      "mother": .reference(column: 8),
      "slow": .asyncLeaves(needs: [1]) { views, _ in
        let numbers = views.map { $0.int(1) ?? -1 }
        return {
          await Task.yield()
          return numbers.map { number in
            if number % 4 == 1 { return .failure(FieldError("Too slow: \(number).", code: .badUserInput)) }
            return .success(.string("slow \(number)"))
          }
        }
      },
      "numbers": .leaf(needs: [1]) { view in
        let number = Int(view.int(1) ?? -1)
        return number.mod(5) == 4
          ? .null : .list([.int(Int64(number)), number.mod(3) == 2 ? .null : .int(Int64(number * 2))])
      },
      "grid": .leaf(needs: [1]) { view in
        let number = view.int(1) ?? -1
        return .list([.list([.int(number), .int(1)]), .null, .list([number % 2 != 0 ? .null : .int(4)])])
      },
      "words": .leaf(needs: [1]) { view in
        (view.int(1) ?? -1) % 8 == 3 ? .null : .list([.string("w\\"), .null])
      },
      "colors": .leaf(needs: [1]) { view in
        .list([.string("RED"), .string((view.int(1) ?? -1) % 3 == 1 ? "PUCE" : "BLUE")])
      },
      "any": .leaf(needs: [1]) { view in
        let number = view.int(1) ?? -1
        return number % 2 != 0
          ? .list([.string("a"), .int(number), .null, .list([.boolean(true), .double(0.5)])]) : .string("\(number)")
      },
      "things": .load(needs: []) { batch, context in
        zoo(context).count("Cat.things", batch.count)
        // In the reverse order of the parents, because items can be added in any order.
        for offset in 0..<count(batch.arguments) {
          for parent in (0..<batch.count).reversed() {
            if let key = thing(number(batch.key(parent)) + offset) {
              batch.add(parent, key: key)
            } else {
              batch.addNull(parent)
            }
          }
        }
      },
      "pack": .load(needs: []) { batch, _ in
        for parent in 0..<batch.count {
          let number = number(batch.key(parent))
          guard number.mod(6) != 2 else {
            batch.add(parent, resolved: .null)
            continue
          }
          let first = ResolvedValue.list([.key(key("Dog", number)), .key(key("Dog", number.mod(4) == 3 ? limit : 0))])
          batch.add(
            parent,
            resolved: .list([first, number % 2 != 0 ? .null : .list([]), .list([.key(key("Dog", 1))])])
          )
        }
      },
      "summary": .load(needs: []) { batch, _ in
        for parent in 0..<batch.count {
          batch.add(parent, value: Summary(number: number(batch.key(parent)), depth: 2), of: batch.resultType)
        }
      },
      "lonely": .load(needs: []) { _, _ in throw FieldError("Rocks are lonely.", code: .badUserInput) },
      "echo": .leaf(needs: []) { view in .string(shown(view.arguments)) },
    ]) { _, own in own },
    load: load("Cat") { number, row, rows in
      if number.mod(8) != 7 { rows.set(row, column: 2, int: key("Cat", number + 1)) }
      rows.set(row, column: 3, int: Int64(number) * 100_000_000)
      rows.set(row, column: 4, double: Double(number) * 0.25 - 3)
      rows.set(row, column: 5, int: Int64(number.mod(4)))
      rows.set(row, column: 6, int: number.mod(2) == 0 ? 1 : 0)
      rows.set(row, column: 7, text: "<\(number)>")
      if number.mod(9) != 4 { rows.set(row, column: 8, int: key("Cat", (number * 7 + 1).mod(limit))) }
    }
  )

  static let dog = ObjectBinding(
    columns: [.text, .integer, .key],
    fields: common("Dog").merging([
      "owner": .load(needs: []) { batch, _ in
        // In reverse, because parents can be resolved in any order.
        for parent in (0..<batch.count).reversed() {
          let number = number(batch.key(parent))
          if number.mod(5) != 2 { batch.add(parent, key: mixed(number * 3)) }
        }
      },
      "likes": .load(needs: []) { batch, _ in
        for parent in 0..<batch.count {
          if let key = thing(number(batch.key(parent)) + 3) { batch.add(parent, key: key) }
        }
      },
    ]) { _, own in own },
    load: load("Dog") { number, row, rows in rows.set(row, column: 2, int: key("Dog", number + 2)) }
  )

  static let rock = ObjectBinding(
    columns: [.text, .integer, .enumeration(colors)],
    fields: [
      "id": .column(0), "number": .column(1), "color": .column(2),
      "under": .asyncLoad(needs: []) { batch, _ in
        await Task.yield()
        for parent in 0..<batch.count {
          for step in 0...1 { batch.add(parent, key: mixed(number(batch.key(parent)) + step)) }
        }
      },
    ],
    load: load("Rock") { number, row, rows in rows.set(row, column: 2, int: Int64(number.mod(4))) }
  )

  struct Summary {
    let number: Int
    let depth: Int
  }

  static let summary = ObjectBinding(fields: [
    "count": .leaf(needs: []) { view in .int(Int64(view.value(as: Summary.self)?.number ?? -1)) },
    "text": .leaf(needs: []) { view in
      let number = view.value(as: Summary.self)?.number ?? -1
      return number.mod(3) == 0 ? .null : .string("summary \(number)")
    },
    "owner": .load(needs: []) { batch, context in
      for parent in 0..<batch.count {
        if let summary = batch.view(parent, in: context).value(as: Summary.self) {
          batch.add(parent, key: key("Cat", summary.number))
        }
      }
    },
    "parts": .load(needs: []) { batch, context in
      for parent in 0..<batch.count {
        guard let summary = batch.view(parent, in: context).value(as: Summary.self) else { continue }
        for step in 0..<summary.depth {
          batch.add(
            parent,
            value: Summary(number: summary.number + step, depth: summary.depth - 1),
            of: batch.resultType
          )
        }
      }
    },
  ])
}
