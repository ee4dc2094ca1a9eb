/**
 * Returns the contents of all elements of this name. This is enough for S3, whose answers never nest an element in one of the same name.
 */
export const elements = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}(?: [^>]*)?>(.*?)</${name}>`, 'gs'))].map(([, inner = '']) => inner)

/** The text of the first element of this name; undefined where there is none. */
export const firstText = (xml: string, name: string): string | undefined =>
  elements(xml, name)[0]?.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));/gi, decoded)

function decoded(whole: string, hex?: string, decimal?: string, word = ''): string {
  if (hex) return String.fromCodePoint(Number.parseInt(hex, 16))
  return decimal ? String.fromCodePoint(Number(decimal)) : (named[word] ?? whole)
}

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
