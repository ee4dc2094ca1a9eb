import net from 'node:net'
import * as z from 'zod/mini'
import { isRecipient } from './backup/age/keys.ts'
import { Secret } from './secret.ts'
import { currencies } from '#foundation/currencies.ts'
import { roles, type Role } from '#foundation/roles.ts'
import { readNetworks } from './networks.ts'
import { isTimeZone } from './time-zone.ts'

/**
 * A kind of setting: `read` turns the text into the value, or returns undefined if the text is no such value. `hint` finishes the sentence
 * that begins with the name of the setting, and ends with what to set.
 */
export function kind<Value>(hint: string, read: (text: string) => Value | undefined, most = longest) {
  return z.pipe(
    z.string(),
    z.transform((text: string, check): Value => {
      const value = text.length <= most ? read(text) : undefined
      if (value !== undefined) return value
      check.issues.push({ code: 'custom', message: hint, input: '' })
      return z.NEVER
    }),
  )
}

// The longest setting, in characters: no sensible value is longer.
const longest = 1000

export const text = (what: string) => kind(`is too long. Set it to ${what}`, (given) => given)

/** Text of at most `most` characters. */
export const shortText = (most: number) =>
  kind(`is too long. Set it to at most ${most} characters`, (given) =>
    [...given].length <= most ? given : undefined,
  )

export const choice = <const Choice extends string>(...choices: Choice[]) =>
  kind(`is none of its choices. Set it to ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`, (given) =>
    choices.find((known) => known === given),
  )

/** Several choices separated by commas; a choice that is repeated counts once. */
export const choices = <const Choice extends string>(...known: Choice[]) =>
  kind(`is no list of ${known.join(', ')}. Set it like ${known.slice(0, 2).join(',')}`, (given) => {
    const words = new Set(given.split(',').map((word) => word.trim()))
    const chosen = known.filter((choice) => words.has(choice))
    return chosen.length === words.size ? chosen : undefined
  })

export const currency = () =>
  kind('is no currency. Set it like EUR', (given) => (currencies.includes(given) ? given : undefined))

export const timeZone = () =>
  kind('is no time zone. Set it like Europe/Berlin', (given) =>
    // PostgreSQL reads an offset the other way round than browsers do.
    isTimeZone(given)
      ? new Intl.DateTimeFormat('en', { timeZone: given }).resolvedOptions().timeZone
      : undefined,
  )

export const wholeNumber = (least: number, most: number, example: string) =>
  kind(`is no whole number from ${least} to ${most}. Set it like ${example}`, (given) => {
    const value = /^\d{1,7}$/.test(given) ? Number(given) : -1
    return value >= least && value <= most ? value : undefined
  })

const units: Readonly<Record<string, number>> = { MB: 1e6, GB: 1e9, TB: 1e12 }

/** An amount of storage, in bytes. */
export const bytes = () =>
  kind('is no amount of storage. Set it like 2 GB', (given) => {
    const [, count, unit = ''] = /^(\d{1,6}) ?([MGT]B)$/i.exec(given.trim()) ?? []
    const factor = units[unit.toUpperCase()]
    return factor === undefined ? undefined : Number(count) * factor
  })

const words = new Map([
  ...['on', 'true', 'yes', '1'].map((word) => [word, true] as const),
  ...['off', 'false', 'no', '0'].map((word) => [word, false] as const),
])

export const onOff = () =>
  kind('is neither on nor off. Set it to on or off', (given) => words.get(given.toLowerCase()))

/** On, off, or a third word that means more than on. */
export const onOffOr = <const Word extends string>(word: Word) =>
  kind(
    `is neither on nor off nor ${word}. Set it to on, off or ${word}`,
    (given): 'on' | 'off' | Word | undefined => {
      if (given.toLowerCase() === word) return word
      const isOn = words.get(given.toLowerCase())
      return isOn === undefined ? undefined : isOn ? 'on' : 'off'
    },
  )

const hostName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/i

export const host = () =>
  kind('is no address. Set it like 127.0.0.1 or 0.0.0.0', (given) =>
    net.isIP(given) !== 0 || hostName.test(given) ? given : undefined,
  )

export const origin = () =>
  kind(
    'is no origin (scheme, host and port, nothing behind). Set it like https://account.example.com',
    (given) => {
      const parsed = URL.parse(given.replace(/\/$/, ''))
      if (!parsed || !['http:', 'https:'].includes(parsed.protocol)) return undefined
      return parsed.href === `${parsed.origin}/` ? parsed.origin : undefined
    },
  )

/** An address that may hold a password. */
export const secretUrl = (protocols: string[], example: string) =>
  kind(`cannot be read as a URL. Set it like ${example}`, (given) =>
    protocols.includes(protocolOf(given)) ? new Secret(given) : undefined,
  )

/**
 * Returns the protocol of an address. Two forms of PostgreSQL addresses are read although `URL` refuses them: without a host
 * (postgres://user@/database?host=/run/socket), and with several hosts.
 */
function protocolOf(given: string): string {
  const oneHost = given.replace(/^(postgres(?:ql)?:\/\/(?:[^@/]*@)?[^/,?]*),[^/?]*/, '$1')
  return URL.parse(oneHost.replace(/^(postgres(?:ql)?:\/\/[^/]*@)\//, '$1localhost/'))?.protocol ?? ''
}

export const webPage = () =>
  kind('is no web address of at most 1000 characters. Set it like https://example.com/page', (given) =>
    ['http:', 'https:'].includes(URL.parse(given)?.protocol ?? '') ? given : undefined,
  )

export const color = () =>
  kind('is no colour. Set it like #1f6feb', (given) => (/^#[0-9a-f]{6}$/i.test(given) ? given : undefined))

/** An e-mail address, optionally with a name before it. A line break is refused, because it would start another header. */
export const mailbox = (example: string) =>
  kind(`is no e-mail address. Set it like ${example}`, (given) =>
    /^(?:[^<>\r\n]{1,200} <[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/.test(given) ? given : undefined,
  )

/** A contact: an e-mail address, or a page that is served with TLS. The page is parsed as a URL, so that no line break remains. */
export const contact = () =>
  kind('is neither an e-mail address nor an https address. Set it like security@example.com', (given) => {
    const page = URL.parse(given)
    if (page?.protocol === 'https:') return page.href
    return /^[^\s@<>]+@[^\s@<>]+$/.test(given) ? given : undefined
  })

export const token = () =>
  kind('is too short. Set at least 16 characters', (given) =>
    given.length >= 16 ? new Secret(given) : undefined,
  )

/**
 * A key of at least 32 bytes that is neither a repeated pattern nor a run of the alphabet: a person who guesses the key can sign in as
 * anybody.
 */
export const key = () =>
  kind('is too short or too simple. Set it to the output of: openssl rand -base64 32', (given) => {
    const strong = bytesIn(given) >= 32 && new Set(given).size >= 10 && !isPattern(given)
    return strong ? new Secret(given) : undefined
  })

/**
 * True for a text that repeats a shorter one, or in which more than half of the characters are the same as the one before them or its
 * neighbour in the alphabet. Random bytes never repeat, and such pairs occur in one of 22 places of their base64 text, in one of 6 of their
 * hex text.
 */
function isPattern(given: string): boolean {
  for (let length = 1; length <= given.length / 2; length += 1) {
    if (given.slice(length) === given.slice(0, -length)) return true
  }
  const steps = [...given].filter(
    (letter, place) => Math.abs(letter.charCodeAt(0) - given.charCodeAt(place - 1)) <= 1,
  )
  return steps.length > given.length / 2
}

function bytesIn(given: string): number {
  if (/^[0-9a-f]+$/i.test(given)) return given.length / 2
  return /^[\w+/=-]+$/.test(given) ? given.length * 0.75 : Buffer.byteLength(given)
}

/** The target of a link in a mail: a page on the web or an address that an app on a phone opens. */
export const linkTemplate = (needsKey: boolean) =>
  kind(
    needsKey
      ? 'is no link with {key} in it. Set it like https://app.example.com/confirm?key={key}'
      : 'is no link. Set it like https://app.example.com/sign-up',
    (given) => {
      const protocol = protocolOf(given)
      const runs = ['javascript:', 'data:', 'vbscript:', 'file:'].includes(protocol)
      const isLink = URL.canParse(given) && !runs && !/[\s"<>]/.test(given)
      return isLink && given.includes('{key}') === needsKey ? given : undefined
    },
  )

/** A whole amount for each role of staff, 0 for a role that the setting does not name. */
export const amountsByRole = (example: string) =>
  kind(`is no list of roles with whole amounts. Set it like ${example}`, (given) => {
    const amounts: Record<Role, number> = { support: 0, billing: 0, admin: 0, owner: 0 }
    const named = new Set<string>()
    for (const part of given.split(',')) {
      const [, word, whole] = /^\s*(\w+)\s*:\s*(\d{1,7})\s*$/.exec(part) ?? []
      const role = roles.find((known) => known === word)
      if (!role || whole === undefined || named.has(role)) return undefined
      named.add(role)
      amounts[role] = Number(whole)
    }
    return amounts
  })

/** IP networks, separated by commas. */
export const networks = () =>
  kind(
    'is no list of networks, each from its first address. Set it like 203.0.113.0/24,2001:db8::/32',
    readNetworks,
  )

/** Public keys of the encryption tool age, separated by commas. */
export const recipients = () =>
  kind('is no list of public keys. Set it to what age-keygen prints, as age1…', (given) => {
    const keys = given.split(',').map((one) => one.trim())
    return keys.every(isRecipient) ? keys : undefined
  })

export const passphrase = () =>
  kind('is too short. Set it to 16 characters at least', (given) =>
    given.length >= 16 ? new Secret(given) : undefined,
  )
