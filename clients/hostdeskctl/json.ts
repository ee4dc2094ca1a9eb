/** Returns what JSON says; undefined for a text that is none. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Returns the field of a thing that may be anything; undefined where it is not there. */
export const fieldIn = (thing: unknown, name: string): unknown => Reflect.get(Object(thing), name)

/** Returns the field if it is a text. */
export function textIn(thing: unknown, name: string): string | undefined {
  const value = fieldIn(thing, name)
  return typeof value === 'string' ? value : undefined
}
