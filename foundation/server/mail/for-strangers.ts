import { withoutLinks } from '#foundation/link-like.ts'
import type { MailContent } from './mail-template.ts'

/**
 * Returns a mail to a stranger without links in its words: the names in it are those of somebody who may have chosen them for this mail. The
 * button, the footer and the operator's name are ours.
 */
export function forStranger(letter: MailContent, operator: string): MailContent {
  const plain = (text: string) => text.split(operator).map(withoutLinks).join(operator)
  const { subject, preheader, paragraphs, facts, closing } = letter
  return {
    ...letter,
    subject: plain(subject),
    ...(preheader === undefined ? {} : { preheader: plain(preheader) }),
    paragraphs: paragraphs.map((block) =>
      typeof block === 'string'
        ? plain(block)
        : { ...block, quote: plain(block.quote), author: plain(block.author) },
    ),
    ...(facts ? { facts: facts.map(([label, value]) => [label, plain(value)] as const) } : {}),
    ...(closing ? { closing: closing.map(plain) } : {}),
  }
}
