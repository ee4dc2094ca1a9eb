/** A property of what came from outside or from a storage; undefined where there is none. */
export const propertyOf = (value: unknown, name: string): unknown =>
  isRecord(value) ? value[name] : undefined

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
