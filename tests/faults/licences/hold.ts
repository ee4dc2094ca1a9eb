import { isDeepStrictEqual } from 'node:util'

/** Throws if `actual` and `wanted` differ, and names the fields that do: the message alone must explain a fault deep in a history. */
export function hold(what: string, actual: unknown, wanted: unknown): void {
  if (isDeepStrictEqual(actual, wanted)) return
  throw new Error([what, ...differences('', actual, wanted)].join('\n  '))
}

function differences(path: string, actual: unknown, wanted: unknown): string[] {
  if (isDeepStrictEqual(actual, wanted)) return []
  if (!isObject(actual) || !isObject(wanted)) return [`${path}: ${text(actual)}, and not ${text(wanted)}`]
  const names = new Set([...Object.keys(actual), ...Object.keys(wanted)])
  return [...names].flatMap((name) => differences(`${path}.${name}`, actual[name], wanted[name]))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const text = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'bigint' ? `${inner}n` : inner)) ?? 'nothing'
