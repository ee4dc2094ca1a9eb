/**
 * True for the name of a time zone, `Europe/Berlin`, by a present or an old name: browsers send both. An offset (`+01:00`) is
 * none: it knows no summer time.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
