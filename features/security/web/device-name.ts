/** What a user agent calls itself, in the words of its owner: 'Firefox, Windows'. */
export function deviceOf(user_agent: string): { name: string | undefined; isPhone: boolean } {
  const browser = BROWSERS.find(([, pattern]) => pattern.test(user_agent))?.[0]
  const system = SYSTEMS.find(([, pattern]) => pattern.test(user_agent))?.[0]
  const name = [browser, system].filter((part) => part !== undefined).join(', ')
  // A program of the customer's own says its name and nothing else: better than to call it unknown.
  return {
    name: name || user_agent.slice(0, 40) || undefined,
    isPhone: /Mobi|Android|iPhone/u.test(user_agent),
  }
}

// In this order: each of them also calls itself by the names of those below.
const BROWSERS = [
  ['Edge', /Edg[A-Z]*\//u],
  ['Opera', /OPR\//u],
  ['Samsung Internet', /SamsungBrowser\//u],
  ['Firefox', /Firefox\/|FxiOS\//u],
  ['Chrome', /Chrome\/|CriOS\//u],
  ['Safari', /Safari\//u],
] as const

const SYSTEMS = [
  ['iPhone', /iPhone/u],
  ['iPad', /iPad/u],
  ['Android', /Android/u],
  ['Windows', /Windows/u],
  ['macOS', /Mac OS X/u],
  ['ChromeOS', /CrOS/u],
  ['Linux', /Linux/u],
] as const
