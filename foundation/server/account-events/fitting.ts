/** The most that is sent as the data of an event, in UTF-8. */
const MOST_BYTES = 60_000
/** The most that the column of the data takes (`pg_column_size` of its jsonb). */
const MOST_KEPT_BYTES = 65_536

type Most = { letters: number; items: number }

/**
 * The data of an event as JSON of 60 kB at most. The longest texts of larger data are cut first, down to 256 letters (ids are shorter), and
 * then the ends of its lists. An event never fails the act that it reports.
 */
export function fitting(data: unknown): string {
  const whole = JSON.stringify(data)
  if (fits(whole)) return whole
  for (let letters = 16_384; letters >= 256; letters /= 2) {
    const text = cut(data, { letters, items: Infinity })
    if (fits(text)) return text
  }
  for (let items = 4096; items >= 1; items = Math.floor(items * 0.9)) {
    const text = cut(data, { letters: 256, items })
    if (fits(text)) return text
  }
  return cut(data, { letters: 0, items: 0 })
}

const cut = (data: unknown, { letters, items }: Most): string =>
  JSON.stringify(data, (_name, value: unknown): unknown => {
    if (isList(value)) return value.slice(0, items)
    if (typeof value !== 'string' || value.length <= letters) return value
    return `${value.slice(0, letters).toWellFormed()}…`
  })

const isList = (value: unknown): value is unknown[] => Array.isArray(value)

function fits(text: string): boolean {
  const bytes = Buffer.byteLength(text)
  // Short data cannot become too long: the most that jsonb adds is to a digit in a list, 14 bytes instead of 2.
  return (
    bytes <= MOST_KEPT_BYTES / 7 || (bytes <= MOST_BYTES && keptBytes(JSON.parse(text)) <= MOST_KEPT_BYTES)
  )
}

/** A little more than the bytes that jsonb takes: a head of 4 for each list, object, name and value, and numbers in a form of their own. */
function keptBytes(value: unknown): number {
  if (typeof value === 'string') return 4 + Buffer.byteLength(value)
  if (typeof value === 'number') return 4 + 3 + 18
  if (typeof value !== 'object' || value === null) return 4
  let bytes = 4 + 4 + 3
  for (const [name, item] of Object.entries(value))
    bytes += (isList(value) ? 0 : 4 + Buffer.byteLength(name)) + keptBytes(item)
  return bytes
}
