/** Returns a property of a value of unknown type, such as parsed JSON; undefined if there is none. */
export const propertyOf = (value: unknown, name: string): unknown =>
  isRecord(value) ? value[name] : undefined

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
