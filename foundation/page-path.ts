/** The base path of all pages. */
export const PAGES_BASE = '/account'

/** The type of the values for a pattern, one for each part that begins with a dollar: `/servers/host/$hostId` takes one. */
type Values<Pattern extends string> = Pattern extends `${string}$${string}/${infer Rest}`
  ? [value: string, ...Values<Rest>]
  : Pattern extends `${string}$${string}`
    ? [value: string]
    : []

type Query = Record<string, string | undefined>

type PagePath<Pattern extends string = string> = {
  /** The address below the base: `paths.host(id, { act: 'renew' })` is `/servers/host/17?act=renew`. */
  (...values: [...values: Values<Pattern>, query?: Query]): `/${string}`
  /** The pattern as the router reads it. */
  pattern: Pattern
}

/** Makes the function that gives the address of a page. The pattern is below the base and has a dollar before each part that varies. */
export function pagePath<const Pattern extends `/${string}`>(pattern: Pattern): PagePath<Pattern> {
  const address = (...parts: readonly (string | Query | undefined)[]): `/${string}` => {
    const values = parts.filter((part) => typeof part === 'string')
    const query = parts.find((part) => typeof part === 'object')
    const path: `/${string}` = `/${pattern.slice(1).replaceAll(/\$\w+/gu, () => encodeURIComponent(values.shift() ?? ''))}`
    const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
    )
    return given.length === 0 ? path : `${path}?${given.join('&')}`
  }
  return Object.assign(address, { pattern })
}
