import type { CannedReply } from '#features/support/desk/contract.ts'

/**
 * The replies that contain every typed word; first those in the customer's language, and of them those with
 * the words in the title.
 */
export function fitting(
  replies: readonly CannedReply[],
  typed: string,
  language: CannedReply['language'] | undefined,
): CannedReply[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  const holds = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  const rank = (reply: CannedReply) => (reply.language === language ? 0 : 2) + (holds(reply.title) ? 0 : 1)
  return replies
    .filter(({ title, text }) => holds(`${title} ${text}`))
    .toSorted((one, other) => rank(one) - rank(other))
}
