/** The value where it has to be there. A missing one is a bug of ours, which throws at once and not some lines later. */
export function must<T>(value: T | null | undefined, what = 'value'): T {
  if (value === undefined || value === null) throw new Error(`A ${what} that must be there is missing.`)
  return value
}
