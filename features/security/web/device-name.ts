/** The name of a browser and its system, as their owner knows them: 'Firefox 142, Windows'. */
export function deviceOf(user_agent: string): { name: string | undefined; isPhone: boolean } {
  const browser = browserOf(user_agent)
  const system = SYSTEMS.find(([, pattern]) => pattern.test(user_agent))?.[0]
  const name = [browser, system].filter((part) => part !== undefined).join(', ')
  // A program of the customer's own is shown by the name that it sends: better than to call it unknown.
  return {
    name: name || user_agent.slice(0, 40) || undefined,
    isPhone: /Mobi|Android|iPhone/u.test(user_agent),
  }
}

/** Returns the browser with its version: without it, two browsers of one kind on machines of one kind have the same name. */
function browserOf(user_agent: string): string | undefined {
  for (const [name, pattern] of BROWSERS) {
    const version = pattern.exec(user_agent)?.[1]
    if (version !== undefined) return `${name} ${version}`
  }
  return undefined
}

// The order matters: the user agent of a browser also contains the names of browsers further below.
const BROWSERS = [
  ['Edge', /Edg[A-Z]*\/(\d+)/iu],
  ['Opera', /OPR\/(\d+)/u],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/u],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/u],
  ['Chrome', /(?:Chrome|CriOS)\/(\d+)/u],
  ['Safari', /Version\/(\d+).*Safari\//u],
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
