// The lines of two texts side by side: a longest common subsequence.

/** The largest product of the differing lines that is compared; above it, lines are compared by their number. */
const most = 4_000_000;

/** Rows of { left, right }: a line of each text, null where the other one has more. Equal lines are in one row. */
export function sideBySide(left, right) {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < left.length - start && end < right.length - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  const same = (lines) => lines.map((line) => ({ left: line, right: line }));
  const middle = [left.slice(start, left.length - end), right.slice(start, right.length - end)];
  return [...same(left.slice(0, start)), ...paired(differing(...middle)), ...same(left.slice(left.length - end))];
}

/** The rows of texts that begin and end differently; a line of one text only has null beside it. */
function differing(left, right) {
  if (left.length * right.length > most) {
    return Array.from({ length: Math.max(left.length, right.length) }, (_, place) => ({ left: left[place] ?? null, right: right[place] ?? null }));
  }
  const width = right.length + 1;
  // The length of the longest common subsequence of what follows each pair of lines.
  const longest = new Uint32Array((left.length + 1) * width);
  for (let one = left.length - 1; one >= 0; one -= 1) {
    for (let other = right.length - 1; other >= 0; other -= 1) {
      const at = one * width + other;
      longest[at] = left[one] === right[other] ? longest[at + width + 1] + 1 : Math.max(longest[at + width], longest[at + 1]);
    }
  }
  const rows = [];
  for (let one = 0, other = 0; one < left.length || other < right.length;) {
    const at = one * width + other;
    if (one < left.length && other < right.length && left[one] === right[other]) rows.push({ left: left[one++], right: right[other++] });
    else if (other >= right.length || (one < left.length && longest[at + width] >= longest[at + 1])) rows.push({ left: left[one++], right: null });
    else rows.push({ left: null, right: right[other++] });
  }
  return rows;
}

/** Puts the lines of one text beside those of the other that take their place. */
function paired(rows) {
  const result = [];
  let [lefts, rights] = [[], []];
  const flush = () => {
    for (let place = 0; place < Math.max(lefts.length, rights.length); place += 1) {
      result.push({ left: lefts[place] ?? null, right: rights[place] ?? null });
    }
    [lefts, rights] = [[], []];
  };
  for (const row of rows) {
    if (row.left !== null && row.left === row.right) {
      flush();
      result.push(row);
      continue;
    }
    if (row.left !== null) lefts.push(row.left);
    if (row.right !== null) rights.push(row.right);
  }
  flush();
  return result;
}
