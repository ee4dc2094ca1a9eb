import { withoutLinks } from '#foundation/link-like.ts'
import type { MailContent } from './mail-template.ts'

/**
 * Returns a mail without links in its words. The attack is a person who gives a name to a server, a ticket or themselves that becomes a link in
 * our mail to somebody else. The button, the footer and the operator's name are ours; `own` words are ours or the reader's. A quote stands apart
 * with its author, and keeps its links except in a mail to a stranger.
 */
export function harmless(letter: MailContent, operator: string): MailContent {
  const { subject, preheader, paragraphs, facts, closing, stranger } = letter
  const own = [operator, ...((!stranger && letter.own) || [])]
  const plain = (text: string) => withoutLinks(text, own)
  return {
    ...letter,
    subject: plain(subject),
    ...(preheader === undefined ? {} : { preheader: plain(preheader) }),
    paragraphs: paragraphs.map((block) =>
      typeof block === 'string'
        ? plain(block)
        : { ...block, quote: stranger ? plain(block.quote) : block.quote, author: plain(block.author) },
    ),
    ...(facts ? { facts: facts.map(([label, value]) => [label, plain(value)] as const) } : {}),
    ...(closing ? { closing: closing.map(plain) } : {}),
  }
}
