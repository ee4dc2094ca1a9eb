import type { Locale } from '#foundation/locale.ts'
import { lengths } from '#features/support/tickets/rules.ts'
import * as m from '#texts/messages.js'
import { cut } from './read-mail.ts'
import type { About } from './received-queries.ts'

/** Returns a mail of somebody else as a quotation by them: nobody writes in the name of another. */
export function quotation(
  { from_address, answer }: Pick<About, 'from_address' | 'answer'>,
  left_out: readonly string[],
  locale: Locale,
): string {
  const from = from_address ?? '?'
  const lines = cut((answer ?? '').normalize('NFC'), lengths.message - 5000).split('\n')
  const quoted = lines.slice(0, 1500).map((line) => `> ${line}`.trimEnd())
  return [m.mail_in_quoted({ from }, { locale }), '', ...quoted].join('\n') + leftOut(left_out, locale)
}

/** Returns the end of a message which names the files of its mail that it may not have. */
export const leftOut = (names: readonly string[], locale: Locale): string =>
  names.length === 0 ? '' : `\n\n${m.mail_in_left_out({ names: cut(names.join(', '), 1000) }, { locale })}`
