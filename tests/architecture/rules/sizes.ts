import { isSource } from './tree.ts'
import type { Rule } from './tree.ts'

/** Files are small enough to keep in mind. The linter limits only the longest; this rule also limits the median and the 95th percentile. */
export const sizes: Rule = ({ paths, read }) => {
  const counted = paths
    .filter(isSource)
    .map((path) => ({ path, lines: read(path).trimEnd().split('\n').length }))
  const sorted = counted.toSorted((one, other) => one.lines - other.lines)
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1]?.lines ?? 0
  const complaints = counted
    .filter(({ path, lines }) => lines > longest(path))
    .map(({ path, lines }) => `${path} has ${lines} lines: at most ${longest(path)}.`)
  if (at(0.5) > 60) complaints.push(`The median file has ${at(0.5)} lines: at most 60.`)
  if (at(0.95) > 160) complaints.push(`One file in twenty has more than ${at(0.95)} lines: 160 is the bar.`)
  return complaints
}

// A contract is a list of calls, in which people look up single calls.
const longest = (path: string) => (path.endsWith('/contract.ts') ? 400 : 300)
