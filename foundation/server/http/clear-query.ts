import { badRequest } from './http-error.ts'

/**
 * Refuses an address whose query cannot be read in one way only, as bodies are refused: bytes that are no UTF-8 (`%FF`),
 * which would be read as the text "%FF", and a name that occurs twice, because a proxy may read the other one.
 * The path has been decoded by the router, and bytes that are not escaped were refused before.
 */
export function rejectAmbiguousQuery(url: string): void {
  const start = url.search(/[?#]/)
  if (start === -1) return
  const names = new Set<string>()
  for (const pair of url.slice(start + 1).split('&')) {
    if (pair === '') continue
    const [, name = '', value = ''] = /^([^=]*)=?(.*)$/.exec(pair) ?? []
    const known = decoded(name)
    if (known === undefined) throw badRequest('invalid')
    if (names.has(known) || decoded(value) === undefined) throw badRequest('invalid', known)
    names.add(known)
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return undefined
  }
}
