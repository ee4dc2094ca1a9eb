/** One value per step; null if nothing was reported. */
export type Series = readonly (number | null)[]

/** The lowest, the highest and the latest value; undefined if there is none. */
export function rangeOf(values: Series): { least: number; most: number; last: number } | undefined {
  const heard = values.filter((value) => value !== null)
  const last = heard.at(-1)
  if (last === undefined) return undefined
  return { least: Math.min(...heard), most: Math.max(...heard), last }
}

/** The used share, in percent. */
export const percentOf = (used: Series, total: Series): Series =>
  used.map((value, index) => {
    const all = total[index]
    return value === null || !all ? null : (100 * value) / all
  })

/** One chart of a host: its title, its values and its scale. */
export type FigureOf = {
  name: () => string
  values: Series
  /** Spans with an alert, in seconds since 1970. */
  spans: readonly { from: number; to: number }[]
  /** The top of the scale, if it does not follow the values. */
  most?: number
  write: (value: number) => string
  wide?: boolean
}
