/// Of all pairs of a time of one and a time of the other, how many have the first as the longer: a half where nothing
/// sets them apart, and next to none or all where one of them does work that the other does not. Only their order
/// counts, so that a moment in which the machine did something else weighs no more than any other.
func shareOfLonger(_ times: [Duration], than others: [Duration]) -> Double {
  let longer = times.reduce(0) { count, time in count + others.count { $0 < time } }
  return Double(longer) / Double(times.count * others.count)
}
