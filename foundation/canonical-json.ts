/**
 * Writes a value as RFC 8785 wants it, so that the same value is always the same bytes: members in the order of their names, no blanks, and
 * strings and numbers as JSON.stringify writes them, which is how the standard defines them. The value is one that JSON.parse could return.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonicalJson(inner)}`).join(',')}}`
}
