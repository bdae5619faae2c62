/// Compares each time of the first list with each of the second, and returns the share of pairs in which the first is
/// longer. It is about a half if both lists measure the same work, and near 0 or 1 if one measures more. Only the order
/// of times counts, so that a pause of the machine has no more weight than any other difference.
func shareOfLonger(_ times: [Duration], than others: [Duration]) -> Double {
  let longer = times.reduce(0) { count, time in count + others.count { $0 < time } }
  return Double(longer) / Double(times.count * others.count)
}
