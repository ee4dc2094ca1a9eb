import ChevronsRight from 'lucide-react/icons/chevrons-right'
import IdCard from 'lucide-react/icons/id-card'
import Eye from 'lucide-react/icons/eye'
import PencilLine from 'lucide-react/icons/pencil-line'
import { paths } from '#features/paths.ts'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { ticketCan } from '#features/support/tickets/rules.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { useHotkeys } from '#foundation/web/hotkeys.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { toast, toastError } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { AssigneeMenu } from './assignee-menu.tsx'
import { take } from './assign.ts'
import { PriorityMenu, TopicMenu } from './sort-out-menus.tsx'
import { listStaffTickets } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { usePresence } from './use-presence.ts'

const CardDialog = lazyPart(() => import('./customer-card.tsx').then((file) => file.CardDialog))

/**
 * Actions of staff on a ticket besides answering: take it, hand it over, release it, set its topic and
 * priority, and go to the next. `t` takes, `n` goes to the next.
 */
export function TicketActions({ ticket }: { ticket: Ticket }) {
  const card = useLazyDialog(CardDialog)
  const next = useNext(ticket)
  const mayTake = ticketCan.take(
    { status: ticket.status, assignee_id: ticket.assignee?.id ?? null, closed_at: null },
    { role: 'staff', user_id: '' },
  )
  const taking = useAct(() => take(ticket))
  useHotkeys({ n: next.run, ...(mayTake ? { t: taking.run } : {}) })
  return (
    <>
      {mayTake ? (
        <Button look="primary" pending={taking.pending} title={m.desk_take_hint()} onClick={taking.run}>
          {m.desk_take()}
        </Button>
      ) : (
        <AssigneeMenu ticket={ticket} />
      )}
      <PriorityMenu ticket={ticket} />
      <TopicMenu ticket={ticket} />
      <div className="@4xl:hidden">
        <Button icon={<IdCard size={16} aria-hidden="true" />} {...card.opener}>
          <span className="max-sm:sr-only">{m.desk_card()}</span>
        </Button>
      </div>
      <Button
        icon={<ChevronsRight size={16} aria-hidden="true" />}
        title={m.desk_next_hint()}
        pending={next.pending}
        onClick={next.run}
      >
        <span className="max-sm:sr-only">{m.desk_next()}</span>
      </Button>
      {/* The colleagues come after all buttons: one who comes or goes must not move a button away under a finger. */}
      <div className="order-last self-center empty:hidden">
        <WhoElse key={ticket.id} chat_id={ticket.id} />
      </div>
      {card.open ? <CardDialog ticket={ticket} {...card.dialog} /> : null}
    </>
  )
}

function useNext(ticket: Ticket) {
  const go = useGo()
  return useAct(async () => {
    const next = await nextWaiting(ticket.id)
    if (next === 'failed') toastError(m.desk_fetch_failed)
    else if (next) void go(paths.deskTicket(next.id))
    else toast({ type: 'success', message: m.desk_none_waits })
  })
}

/**
 * Returns the ticket that waits longest: one of the reader's own, else an unassigned one, but never the ticket `from`. Undefined if none
 * waits.
 */
async function nextWaiting(from: string): Promise<Ticket | undefined | 'failed'> {
  for (const query of [{ tab: 'processing', assignee: 'me' }, { tab: 'incoming' }] as const) {
    const answer = await call(listStaffTickets, { query: { ...query, limit: '2' } })
    if (answer.status !== 200) return 'failed'
    const next = answer.body.items.find(({ id }) => id !== from)
    if (next) return next
  }
  return undefined
}

/** Colleagues who view the same ticket just now, and which of them are typing, so that two do not answer it at once. */
function WhoElse({ chat_id }: { chat_id: string }) {
  const people = usePresence(chat_id)
  return (
    <div role="status" className="flex flex-wrap items-center gap-1 empty:sr-only">
      {people.map(({ id, name, writing }) => (
        <Badge key={id} tone={writing ? 'warning' : 'accent'}>
          {writing ? <PencilLine size={13} aria-hidden="true" /> : <Eye size={13} aria-hidden="true" />}
          <span>{writing ? m.desk_writing({ name }) : m.desk_looking({ name })}</span>
        </Badge>
      ))}
    </div>
  )
}
