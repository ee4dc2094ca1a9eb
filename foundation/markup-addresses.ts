/** A link leads out by http, https or mail and nowhere else; `javascript:` stays text (rule 23). */
export const safeAddress = (href: string): boolean => /^(?:https?:\/\/|mailto:)[^\s]/i.test(href)

/**
 * Returns the place to which a typed link leads; undefined for what is no link. With `origin` a path leads to that installation, and what only
 * looks like a path (`//evil.example`, `/\evil.example`) is none.
 */
export function placeOf(href: string, origin?: string): string | undefined {
  if (safeAddress(href)) return href
  return origin !== undefined && /^\/(?![/\\])/.test(href) ? `${origin}${href}` : undefined
}

/** An address in a sentence ends before the full stop, and before a bracket that it did not open. */
export function withoutEnd(address: string): string {
  let unopened = address.split(')').length - address.split('(').length
  let end = address.length
  for (; end > 0; end -= 1) {
    const last = address.charAt(end - 1)
    if (last === ')' ? unopened <= 0 : !`.,;:!?'"*_~]}>`.includes(last)) break
    if (last === ')') unopened -= 1
  }
  return address.slice(0, end)
}
