import { useQuery } from '@tanstack/react-query'
import * as contract from '#features/notifications/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer, keepData } from '#foundation/web/api/keep.ts'
import { queryClient, queryFor, refreshQueries } from '#foundation/web/api/query.ts'

const unread = queryFor(contract.getUnread)
const choices = queryFor(contract.getNotificationChoices)

/** How much is unread; undefined while nobody knows. */
export const useUnread = () => useQuery(unread).data

/** Shows what a live event says has changed; asks only where the event does not tell how much is unread. */
export function takeChange({ count, links }: Record<string, unknown>): void {
  if (typeof count === 'number' && Array.isArray(links))
    keepData<contract.Unread>(unread.queryKey, { count, links: links.map(String) })
  else refreshQueries(contract.getUnread)
  refreshQueries(contract.listNotifications)
}

export const useChoices = () => useQuery(choices)

/** Marks as read what leads to a page, or all of it. */
export async function markRead(link?: string) {
  const answer = await call(contract.readNotifications, { body: link === undefined ? {} : { link } })
  if (answer.status === 200) {
    // The event of this very act may have come before the answer, and told the same.
    const known = JSON.stringify(queryClient.getQueryData(unread.queryKey))
    if (known !== JSON.stringify(answer.body)) keepAnswer(answer, unread.queryKey, answer.body)
    refreshQueries(contract.listNotifications)
  }
  return answer
}

/** Switches a kind on or off. */
export async function change(choice: { kind: contract.Choice['kind']; bell?: boolean; push?: boolean }) {
  const answer = await call(contract.changeNotificationChoice, { body: choice })
  if (answer.status === 200) keepAnswer(answer, choices.queryKey, answer.body)
  return answer
}
