export const plain = (text: string) => text.replaceAll(/\s/g, '').toUpperCase()
// Returns the text as one line of at most `most` characters. PostgreSQL can store neither the control character NUL nor a lone surrogate.
export const cut = (text: string, most: number) =>
  [
    ...text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Bidi_Control}\s]+/gu, ' ')
      .trim(),
  ]
    .slice(0, most)
    .join('')

/** Returns the day of a date or time as the bank wrote it, in the bank's own time zone; null if the text has none that the calendar knows. */
export function dayOf(text: string): string | null {
  const [day] = /^\d{4}-\d\d-\d\d/.exec(text) ?? []
  if (day === undefined || Number.isNaN(Date.parse(day))) return null
  // A day that the month lacks would roll over into the next.
  return new Date(day).toISOString().startsWith(day) ? day : null
}
