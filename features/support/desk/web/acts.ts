import * as contract from '#features/support/desk/contract.ts'
import type { Acts } from '#features/support/tickets/shapes.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import type { Answer } from '#foundation/web/api/answer.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { toast } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { putTicket } from './hooks.ts'
import { snoozedText } from './snooze-text.ts'

/** Does acts on a ticket, all of them or none, and shows the ticket that comes back. */
export async function actOn(
  { id: chatId }: Pick<Ticket, 'id'>,
  body: Acts,
): Promise<Answer<typeof contract.changeTicket>> {
  const answer = await call(contract.changeTicket, { params: { chatId }, body })
  if (answer.status === 200) putTicket(answer, answer.body)
  if (answer.status === 200 && body.add_tags) refreshQueries(contract.listTags)
  return answer
}

/** Lets a ticket sleep; the toast takes that back. */
export async function snoozeTicket(ticket: Ticket, until: string | undefined) {
  const answer = await actOn(ticket, { snooze: until === undefined ? {} : { until } })
  if (answer.status !== 200) return answer
  const { snoozed } = answer.body
  toast({
    type: 'success',
    message: () => (snoozed ? snoozedText(snoozed) : m.desk_snooze_done()),
    closeable: true,
    undo: async () => {
      await actOn(ticket, { snooze: null })
    },
  })
  return answer
}
