import type { Locale } from '#foundation/locale.ts'
import { lengths } from '#features/support/tickets/rules.ts'
import * as m from '#texts/messages.js'
import { cut } from './read-mail.ts'
import type { About } from './received-queries.ts'

/** Returns a mail of somebody else as a quotation by them: nobody writes in the name of another. */
export function quotation(
  { from_address, answer }: Pick<About, 'from_address' | 'answer'>,
  locale: Locale,
): string {
  const from = from_address ?? '?'
  const lines = cut((answer ?? '').normalize('NFC'), lengths.message - 2000).split('\n')
  const quoted = lines.slice(0, 1500).map((line) => `> ${line}`.trimEnd())
  return [m.mail_in_quoted({ from }, { locale }), '', ...quoted].join('\n')
}
