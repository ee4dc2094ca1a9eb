import ChevronsRight from 'lucide-react/icons/chevrons-right'
import ShieldAlert from 'lucide-react/icons/shield-alert'
import Ellipsis from 'lucide-react/icons/ellipsis'
import Eye from 'lucide-react/icons/eye'
import PencilLine from 'lucide-react/icons/pencil-line'
import type { ReactNode } from 'react'
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
import { iconButtonClass } from '#foundation/web/ui/icon-button.tsx'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import { AssigneeMenu } from './assignee-menu.tsx'
import { closeAsSpam, take } from './assign.ts'
import { Priorities, Topics } from './sort-out-menus.tsx'
import { listStaffTickets } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { TicketMarks } from './ticket-marks.tsx'
import { usePresence } from './use-presence.ts'

const TagsDialog = lazyPart(() => import('./tags-dialog.tsx').then((file) => file.TagsDialog))
const SnoozeDialog = lazyPart(() => import('./snooze-dialog.tsx').then((file) => file.SnoozeDialog))
const MergeDialog = lazyPart(() => import('./merge-dialog.tsx').then((file) => file.MergeDialog))
const CardDialog = lazyPart(() => import('./customer-card.tsx').then((file) => file.CardDialog))

type Props = { ticket: Ticket; close: ReactNode }

/**
 * Actions of staff on a ticket besides answering: take it, hand it over, release it, go to the next, and in a menu what is rarer: its topic
 * and its priority. `t` takes, `n` goes to the next, `l` opens the tags, `z` lets it sleep.
 */
export function TicketActions({ ticket, close }: Props) {
  const card = useLazyDialog(CardDialog)
  const merging = useLazyDialog(MergeDialog)
  const tags = useLazyDialog(TagsDialog)
  const snooze = useLazyDialog(SnoozeDialog)
  const maySnooze = ticket.status !== 'closed'
  const next = useNext(ticket)
  const mayTake = ticketCan.take(
    { status: ticket.status, assignee_id: ticket.assignee?.id ?? null, closed_at: null },
    { role: 'staff', user_id: '' },
  )
  const taking = useAct(() => take(ticket))
  const spam = useAct(() => closeAsSpam(ticket))
  useHotkeys({
    n: next.run,
    l: tags.show,
    ...(maySnooze ? { z: snooze.show } : {}),
    ...(mayTake ? { t: taking.run } : {}),
  })
  return (
    <>
      {mayTake ? (
        <Button look="primary" pending={taking.pending} title={m.desk_take_hint()} onClick={taking.run}>
          {m.desk_take()}
        </Button>
      ) : null}
      <AssigneeMenu ticket={ticket} />
      <span className="contents max-sm:hidden">
        {ticket.spam ? null : (
          <Button
            icon={<ShieldAlert size={16} aria-hidden="true" />}
            title={m.desk_spam_hint()}
            pending={spam.pending}
            onClick={spam.run}
          >
            <span className="sr-only">{m.desk_spam()}</span>
          </Button>
        )}
        <Button
          icon={<ChevronsRight size={16} aria-hidden="true" />}
          title={m.desk_next_hint()}
          pending={next.pending}
          onClick={next.run}
        >
          {m.desk_next()}
        </Button>
      </span>
      <div className="contents">{close}</div>
      <Menu
        align="end"
        label={m.desk_more()}
        triggerClass={iconButtonClass}
        trigger={<Ellipsis size={18} aria-hidden="true" />}
      >
        <div className="py-1">
          <MenuItem onSelect={tags.show}>{m.desk_tags_change()}</MenuItem>
          {ticket.merged_into ? null : <MenuItem onSelect={merging.show}>{m.desk_merge()}</MenuItem>}
          {maySnooze ? <MenuItem onSelect={snooze.show}>{m.desk_snooze_open()}</MenuItem> : null}
        </div>
        <div className="border-t border-line py-1 sm:hidden">
          <MenuItem onSelect={next.run}>{m.desk_next()}</MenuItem>
          {ticket.spam ? null : <MenuItem onSelect={spam.run}>{m.desk_spam()}</MenuItem>}
        </div>
        <Priorities ticket={ticket} />
        <Topics ticket={ticket} />
        <div className="border-t border-line py-1 @4xl:hidden">
          <MenuItem onSelect={card.show}>{m.desk_card()}</MenuItem>
        </div>
      </Menu>
      <TicketMarks ticket={ticket} />
      {/* The colleagues have a line of their own: one who comes or goes must not move a button away under a finger. */}
      <div className="-mt-2 flex basis-full justify-end max-sm:justify-start">
        <WhoElse key={ticket.id} chat_id={ticket.id} />
      </div>
      {merging.open ? <MergeDialog ticket={ticket} {...merging.dialog} /> : null}
      {tags.open ? <TagsDialog ticket={ticket} {...tags.dialog} /> : null}
      {snooze.open ? <SnoozeDialog ticket={ticket} {...snooze.dialog} /> : null}
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
    <div
      role="status"
      className="flex flex-wrap pt-2 items-center gap-1 [overflow-wrap:anywhere] *:whitespace-normal empty:sr-only"
    >
      {people.map(({ id, name, writing }) => (
        <Badge key={id} tone={writing ? 'warning' : 'accent'}>
          {writing ? <PencilLine size={13} aria-hidden="true" /> : <Eye size={13} aria-hidden="true" />}
          <span>{writing ? m.desk_writing({ name }) : m.desk_looking({ name })}</span>
        </Badge>
      ))}
    </div>
  )
}
