import { must } from '#foundation/must.ts'
/**
 * The one form of an e-mail address, or undefined where no mailbox can have it: lower case, NFKC (full-width letters are the
 * plain ones), the domain in Unicode. The attack is a twin: `ann@b\u00fccher.example` and `ann@xn--bcher-kva.example` are one
 * mailbox, and two accounts if they are kept as typed. (RFC 5321 4.1.2 and 4.5.3.1, RFC 5891, UTS 46.)
 */
export function canonicalEmail(typed: string): string | undefined {
  // Lower case may come apart again, so it is composed last.
  const text = typed.normalize('NFKC').toLowerCase().normalize('NFKC')
  const at = text.lastIndexOf('@')
  const [local, domain] = [text.slice(0, at), domainOf(text.slice(at + 1))]
  return at > 0 && LOCAL.test(local) && bytesOf(local) <= 64 && domain ? `${local}@${domain}` : undefined
}

// Words with single dots between them; quoted names are of the last century.
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

/** Every platform's own UTS 46: the only implementation without an import that one of both sides lacks. */
declare global {
  // The class is on both sides; the types of what both sides share know neither.
  var URL: new (text: string) => { hostname: string }
}

function toAscii(domain: string): string | undefined {
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return undefined
  }
}

// UTF-8, as the limit of RFC 5321 counts. A text that is not well-formed comes no further than the schema.
const bytesOf = (text: string): number => encodeURIComponent(text).replaceAll(/%../g, '.').length

const [BASE, T_MIN, T_MAX, SKEW, DAMP] = [36, 1, 26, 38, 700]

/** A label without its `xn--`, by RFC 3492 section 6.2; anything where it is none. The caller checks the way back. */
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
