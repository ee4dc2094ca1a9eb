import { must } from '#foundation/must.ts'

const reserved = /^(npm_|NODE_|VITE|VITEST|XDG_|LC_)|^HOSTNAME$|^HOSTTYPE$/

/** Returns a line for each name in the environment that looks like a setting of this product written wrong. */
export function mistyped(env: NodeJS.ProcessEnv, known: readonly string[]): string[] {
  return Object.keys(env).flatMap((name) => {
    if (known.includes(name) || reserved.test(name)) return []
    const plain = name
      .toUpperCase()
      .replace(/-/g, '_')
      .replace(/^HOSTDESK_/, '')
    const meant = known.includes(plain) ? plain : known.find((other) => isNear(plain, other))
    return meant ? [`${name} is no setting and does nothing. Did you mean ${meant}?`] : []
  })
}

/**
 * True if at most two edits separate the names. Short names resemble many others: below 8 letters only one edit is allowed, below 6 none.
 */
function isNear(name: string, other: string): boolean {
  const allowed = other.length >= 8 ? 2 : other.length >= 6 ? 1 : 0
  return Math.abs(name.length - other.length) <= allowed && distance(name, other) <= allowed
}

/** Edits between two words (Levenshtein), with two letters swapped counting as one. */
function distance(from: string, to: string): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, column) => column)]
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= from.length; row++) {
    rows[row] = [row]
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1]
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const replaced = cell(row - 1, column - 1) + (same ? 0 : 1)
      const best = Math.min(replaced, cell(row - 1, column) + 1, cell(row, column - 1) + 1)
      must(rows[row])[column] = swapped ? Math.min(best, cell(row - 2, column - 2) + 1) : best
    }
  }
  return cell(from.length, to.length)
}
