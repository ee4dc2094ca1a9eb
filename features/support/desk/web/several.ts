import * as contract from '#features/support/desk/several-contract.ts'
import type { LineError } from '#features/support/desk/several-contract.ts'
import { listTags } from '#features/support/desk/contract.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import type { Acts } from '#features/support/tickets/shapes.ts'
import type { Answer } from '#foundation/web/api/answer.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { toast, toastError } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { showFailures } from './chosen.ts'
import { refreshTicket } from './hooks.ts'

type Answered = Answer<typeof contract.actOnTickets>

/**
 * Does acts on several tickets. A toast tells on how many, and takes it back; the others stay selected, each with its reason.
 */
export async function actOnSeveral(tickets: readonly Ticket[], acts: Acts): Promise<Answered> {
  const answer = await call(contract.actOnTickets, { body: { ids: tickets.map(({ id }) => id), acts } })
  if (answer.status !== 200) {
    // The answer may have been lost on its way, after the acts.
    for (const { id } of tickets) refreshTicket(id)
    return answer
  }
  const { act_id } = answer.body
  const count = show(tickets, answer.body.results)
  if (count > 0)
    toast({
      type: 'success',
      message: () => m.desk_several_done({ count }),
      closeable: true,
      undo: () => undo(tickets, act_id),
    })
  return answer
}

async function undo(tickets: readonly Ticket[], actId: string): Promise<void> {
  const answer = await call(contract.undoActOnTickets, { params: { actId } })
  if (answer.status !== 200) return void toastError(m.desk_act_failed, answer)
  const count = show(tickets, answer.body.results)
  if (answer.body.results.length === 0) toast({ type: 'warning', message: () => m.desk_several_late() })
  else if (count > 0) toast({ type: 'success', message: () => m.desk_several_undone({ count }) })
}

type Results = readonly { id: string; done: boolean; error: LineError | null }[]

/** Shows the tickets as they are now, and those on which it could not be done; returns how many it was done on. */
function show(tickets: readonly Ticket[], results: Results): number {
  for (const { id } of results) refreshTicket(id)
  refreshQueries(listTags)
  showFailures(
    results.flatMap(({ id, done, error }) => {
      const ticket = tickets.find((one) => one.id === id)
      return done || !ticket ? [] : [{ ...ticket, code: error ?? 'not_found' }]
    }),
  )
  return results.filter(({ done }) => done).length
}
