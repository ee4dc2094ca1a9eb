/** A little less than the 64 kB of the column, whose form of the data is somewhat longer. */
const MOST_BYTES = 60_000

/**
 * The data of an event as JSON of 60 kB at most: of larger data the longest texts are cut, until it fits. An event never fails the act that
 * it reports.
 */
export function fitting(data: unknown): string {
  for (let most = 16_384; ; most = Math.floor(most / 2)) {
    const text = JSON.stringify(data)
    if (Buffer.byteLength(text) <= MOST_BYTES) return text
    const cut = JSON.stringify(data, (_name, value: unknown) => shortened(value, most))
    if (Buffer.byteLength(cut) <= MOST_BYTES || most === 0) return cut
  }
}

const shortened = (value: unknown, most: number): unknown =>
  typeof value === 'string' && value.length > most ? `${value.slice(0, most).toWellFormed()}…` : value
