/**
 * True for a current or an old name of a time zone (`Europe/Berlin`): browsers send both. False for an offset (`+01:00`), which knows no
 * summer time.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
