import type { CannedReply } from '#features/support/desk/contract.ts'
import { finds } from '#foundation/search-text.ts'

/**
 * Returns the replies that contain every typed word: first the replies in the customer's language, then all others. In both groups replies
 * with the words in their title come first.
 */
export function fitting(
  replies: readonly CannedReply[],
  typed: string,
  language: CannedReply['language'] | undefined,
): CannedReply[] {
  const holds = (text: string) => finds(typed, text)
  const rank = (reply: CannedReply) => (reply.language === language ? 0 : 2) + (holds(reply.title) ? 0 : 1)
  return replies
    .filter(({ title, text }) => holds(`${title} ${text}`))
    .toSorted((one, other) => rank(one) - rank(other))
}
