import { plainText } from '#foundation/markup-plain.ts'

export { secretForms, secretNames } from './secret-forms.ts'

/** Rules for the mails about messages. */

/**
 * The times at which unread replies are mailed, in seconds: after a pause of `quiet_s` without another reply, at the
 * latest `latest_s` after the first reply, and at least `apart_s` after the last mail if that mail was not read.
 */
export const mailTimes = { quiet_s: 120, latest_s: 600, apart_s: 900 } as const

/**
 * The mails to staff about new tickets: the first `at_once` tickets within `within_s` seconds are mailed one by one, the
 * others together in one mail, once that time is over.
 */
export const newTicketMails = { at_once: 5, within_s: 600 } as const

/** The replies of one ticket that wait to be mailed; seconds on any clock. */
type Waiting = { first_unmailed?: number | undefined; last_mailed?: number | undefined }

/** Returns the time at which the mail is due after one more reply at `now`. */
export function mailDue({ first_unmailed, last_mailed }: Waiting, now: number): number {
  const { quiet_s, latest_s, apart_s } = mailTimes
  const wanted = Math.min(now + quiet_s, (first_unmailed ?? now) + latest_s)
  return last_mailed === undefined ? wanted : Math.max(wanted, last_mailed + apart_s)
}

/** How much of a text a mail shows. */
const bounds = {
  excerpt: { lines: 6, characters: 500 },
  reply: { lines: 200, characters: 4000 },
} as const

/** The maximum number of characters of replies in one mail; the rest is read in the ticket. */
export const MOST_MAILED = 16_000

/**
 * Returns the first lines of a message, or nearly all of a reply, as a mail may show them: as the page does, without marks and with every
 * other letter, but without anything written as code, because passwords and keys are sent as code, and mails are kept for years.
 */
export function excerptOf(text: string, much: keyof typeof bounds = 'excerpt'): string {
  const { lines: most, characters } = bounds[much]
  const lines = plainText(text, { code: () => '[…]', item: (mark) => `${mark} ` })
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  const few = lines.slice(0, most).join('\n')
  const letters = [...few]
  const cut = letters.slice(0, characters).join('')
  return lines.length > most || letters.length > characters ? `${cut.trimEnd()} …` : cut
}

type Mentioned = { id: string; name: string }

/** The parts of a text of which some mention a colleague (`@Olivia Berg`): the longest name that fits counts, whatever its case. */
export function mentionParts<Person extends Mentioned>(
  text: string,
  people: readonly Person[],
): (string | { said: string; person: Person })[] {
  const byLength = people.filter(({ name }) => name !== '').toSorted((a, b) => b.name.length - a.name.length)
  const parts: (string | { said: string; person: Person })[] = []
  let from = 0
  for (const { index } of text.matchAll(/(?<![\p{L}\p{N}_.@])@/gu)) {
    if (index < from) continue
    const rest = text.slice(index + 1)
    const person = byLength.find(({ name }) => beginsWith(rest, name))
    if (!person) continue
    const end = index + 1 + person.name.length
    if (index > from) parts.push(text.slice(from, index))
    parts.push({ said: text.slice(index, end), person })
    from = end
  }
  return from < text.length ? [...parts, text.slice(from)] : parts
}

/** The colleagues whom a text mentions, each once. Two of one name are both meant. */
export function mentionedIn<Person extends Mentioned>(text: string, people: readonly Person[]): Person[] {
  const names = new Set(
    mentionParts(text, people).flatMap((part) => (typeof part === 'string' ? [] : [part.person.name])),
  )
  return people.filter(({ name }) => names.has(name))
}

/** True if a text begins with a name, and the name ends there: `@Annabel` is not `@Anna`. */
const beginsWith = (text: string, name: string): boolean =>
  text.slice(0, name.length).toLowerCase() === name.toLowerCase() &&
  !/^[\p{L}\p{N}_]/u.test(text.slice(name.length))
