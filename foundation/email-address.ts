import { must } from '#foundation/must.ts'
/**
 * Returns the canonical form of an e-mail address, or undefined if no mailbox can have it: lower case, NFKC (full-width letters
 * become plain ones), the domain in Unicode. The attack is a second spelling: `ann@b\u00fccher.example` and `ann@xn--bcher-kva.example`
 * are one mailbox, and would be two accounts if they were kept as typed. (RFC 5321 4.1.2 and 4.5.3.1, RFC 5891, UTS 46.)
 */
export function canonicalEmail(typed: string): string | undefined {
  // A character in lower case may be decomposed again, so the text is composed once more.
  const text = typed.normalize('NFKC').toLowerCase().normalize('NFKC')
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), domainOf(text.slice(at + 1))]
  return at > 0 && LOCAL.test(local) && bytesOf(local) <= 64 && domain ? `${local}@${domain}` : undefined
}

// Words with single dots between them. Quoted local parts are obsolete and refused.
const LOCAL = /^[^\s@"(),:;<>[\\\]\p{C}.]+(?:\.[^\s@"(),:;<>[\\\]\p{C}.]+)*$/u

// Characters that a URL would not read as part of a host.
const NO_HOST = /[\s/?#:@\\%[\]<>^|`{}"\p{C}]/u

const LABEL = /^(?=.{1,63}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

function domainOf(typed: string): string | undefined {
  const ascii = NO_HOST.test(typed) ? undefined : toAscii(typed)
  const labels = ascii?.split('.') ?? []
  if (!ascii || ascii.length > 253 || labels.length < 2 || !labels.every((label) => LABEL.test(label)))
    return undefined
  // A top-level domain has more than one letter and begins with no digit; `1.2.3.4` is no domain at all.
  if (!/^[a-z].+$/.test(must(labels.at(-1)))) return undefined
  const unicode = labels.map((label) => (label.startsWith('xn--') ? decode(label.slice(4)) : label)).join('.')
  return toAscii(unicode) === ascii ? unicode : undefined
}

/** `URL` implements UTS 46 in browsers and in Node, so that this file needs no import that one of them lacks. */
declare global {
  // Shared files compile without the types of the browser and of Node, so the class is declared here.
  var URL: new (text: string) => { hostname: string }
}

function toAscii(domain: string): string | undefined {
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return undefined
  }
}

// The length in UTF-8, which RFC 5321 limits. `encodeURIComponent` throws on a lone surrogate; LOCAL has refused those before.
const bytesOf = (text: string): number => encodeURIComponent(text).replaceAll(/%../g, '.').length

const [BASE, T_MIN, T_MAX, SKEW, DAMP] = [36, 1, 26, 38, 700]

/**
 * Decodes Punycode by RFC 3492 section 6.2; takes a label without its `xn--`. Invalid Punycode gives any text, so the caller encodes the
 * text again and compares.
 */
function decode(label: string): string {
  const dash = label.lastIndexOf('-')
  const output = Array.from(label.slice(0, Math.max(dash, 0)), (character) => must(character.codePointAt(0)))
  let [code, bias, at, index] = [128, 72, dash + 1, 0]
  while (at < label.length) {
    const before = index
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = digitOf(label.charCodeAt(at))
      at += 1
      index += digit * weight
      const threshold = Math.min(Math.max(k - bias, T_MIN), T_MAX)
      if (digit < threshold || at >= label.length) break
      weight *= BASE - threshold
    }
    const length = output.length + 1
    bias = adapt(index - before, length, before === 0)
    code += Math.floor(index / length)
    if (code > 0x10_ffff) return ''
    index %= length
    output.splice(index, 0, code)
    index += 1
  }
  return String.fromCodePoint(...output)
}

// Letters are 0 to 25, digits 26 to 35.
const digitOf = (character: number): number => (character < 58 ? character - 22 : character - 97)

function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = isFirst ? Math.floor(delta / DAMP) : Math.floor(delta / 2)
  rest += Math.floor(rest / length)
  let k = 0
  for (; rest > ((BASE - T_MIN) * T_MAX) / 2; k += BASE) rest = Math.floor(rest / (BASE - T_MIN))
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}
