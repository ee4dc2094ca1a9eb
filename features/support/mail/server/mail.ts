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
    from_address: from ? clean(from.address).toLowerCase() : null,
    from_name: from && from.name !== '' ? clean(from.name) : null,
    subject: facts ? clean(facts.subject) : null,
    whole_text: body?.text.whole ?? null,
    answer: body?.text.answer ?? null,
    file_names: (body?.files ?? []).slice(0, 100).map(({ name }) => clean(name)),
  }
}

/** Text that can be stored, and that changes no direction of what stands beside it. */
const clean = (text: string): string =>
  cut(
    text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Bidi_Control}]+/gu, ' ')
      .trim(),
    MOST_FIELD,
  )
