/**
 * True where no object of a JSON text has a name twice. The text has been parsed, so that it is JSON. The attack is
 * `{"amount":"1","amount":"9"}` where a proxy judges the first and we obey the last.
 */
export function hasUniqueKeys(json: string): boolean {
  const open: Set<string>[] = []
  for (const [token, colon] of json.matchAll(tokens)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (colon !== undefined) {
      const key = keyOf(token.slice(0, -colon.length))
      const names = open.at(-1)
      if (names?.has(key)) return false
      names?.add(key)
    }
  }
  return true
}

// A string is matched whole, so that a brace or colon inside it does not count.
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[{}]/gs

/** `"\u0061"` is another way to write `"a"`. */
const keyOf = (text: string): string => (text.includes('\\') ? String(JSON.parse(text)) : text.slice(1, -1))
