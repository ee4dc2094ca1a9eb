/** Returns the value. Throws if it is null or undefined: that is a bug of ours, which shows here and not some lines later. */
export function must<T>(value: T | null | undefined, what = 'value'): T {
  if (value === undefined || value === null) throw new Error(`A ${what} that must be there is missing.`)
  return value
}
