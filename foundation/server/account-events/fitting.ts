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
  if (excess(whole) <= 1) return whole
  const longest = longestIn(data)
  for (let letters = 16_384; letters >= 256; letters /= 2) {
    if (letters > longest.letters) continue
    const text = cut(data, { letters, items: Infinity })
    if (excess(text) <= 1) return text
  }
  for (let { items } = longest; items >= 1;) {
    const text = cut(data, { letters: 256, items })
    const over = excess(text)
    if (over <= 1) return text
    items = Math.min(items - 1, Math.floor(items / over))
  }
  return cut(data, { letters: 0, items: 0 })
}

const cut = (data: unknown, { letters, items }: Most): string =>
  JSON.stringify(data, (_name, value: unknown): unknown => {
    if (isList(value)) return value.slice(0, items)
    if (typeof value !== 'string' || value.length <= letters) return value
    return `${value.slice(0, letters).toWellFormed()}…`
  })

/** The lengths of the longest text and of the longest list. */
function longestIn(value: unknown): Most {
  if (typeof value === 'string') return { letters: value.length, items: 0 }
  if (typeof value !== 'object' || value === null) return { letters: 0, items: 0 }
  const most = { letters: 0, items: isList(value) ? value.length : 0 }
  for (const { letters, items } of Object.values(value).map(longestIn)) {
    most.letters = Math.max(most.letters, letters)
    most.items = Math.max(most.items, items)
  }
  return most
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value)

/** How many times too large the data is; up to 1 it fits. */
function excess(text: string): number {
  const bytes = Buffer.byteLength(text)
  // Short data cannot become too long: the most that jsonb adds is to a digit in a list, 14 bytes instead of 2.
  if (bytes <= MOST_KEPT_BYTES / 7) return bytes / MOST_BYTES
  return Math.max(bytes / MOST_BYTES, keptBytes(JSON.parse(text)) / MOST_KEPT_BYTES)
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
