import { canonicalEmail } from '#foundation/email-address.ts'
import type { Facts } from './facts.ts'
import { cut, type ReadMail } from './read-mail.ts'
import type { About } from './received-queries.ts'

export { carriedReply, noteTicketMail } from './carry.ts'
export { countHeldMails } from './received-queries.ts'

/** A stored mail that was taken apart. */
export type Mail = { id: string; digest: Buffer; about: About; read: ReadMail }

const MOST_FIELD = 400

/** Returns what is kept of a mail beside its bytes, to be looked at. */
export function aboutMail({ facts, body }: ReadMail): About {
  const from = facts?.from
  return {
    from_address: facts ? namedSender(facts) : null,
    from_name: from && from.name !== '' ? clean(from.name) : null,
    subject: facts ? clean(facts.subject) : null,
    whole_text: body?.text.whole ?? null,
    answer: body?.text.answer ?? null,
    file_names: aboutFiles(body?.files ?? []),
  }
}

/** Returns the names of files, to be looked at. */
export const aboutFiles = (files: readonly { name: string }[]): string[] =>
  files.slice(0, 100).map(({ name }) => clean(name))

/**
 * Returns the sender in the form in which addresses are kept. A local part that only looks like another one is none of ours: the attack is an
 * address in full-width letters, whose mailbox belongs to somebody else.
 */
export function senderIn({ from }: Facts): string | undefined {
  if (!from) return undefined
  const local = from.address.slice(0, from.address.lastIndexOf('@')).normalize('NFC')
  return local === local.normalize('NFKC') ? canonicalEmail(from.address) : undefined
}

/** Returns the sender as it is kept and blocked: what no mailbox can have as it is written. Null where none can be read. */
export const namedSender = (facts: Facts): string | null =>
  senderIn(facts) ?? (facts.from ? clean(facts.from.address).toLowerCase() : null)

/** Text that can be stored, and that changes no direction of what stands beside it. */
const clean = (text: string): string =>
  cut(
    text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
      .trim(),
    MOST_FIELD,
  )
