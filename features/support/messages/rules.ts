import { plainText } from '#foundation/markup-plain.ts'

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
