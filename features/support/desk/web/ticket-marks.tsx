import AlarmClock from 'lucide-react/icons/alarm-clock'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { actOn } from './acts.ts'
import { snoozedText } from './snooze-text.ts'
import { TagList } from './tag-list.tsx'

/** The tags of a ticket and its sleep, below the actions; nothing for most tickets. */
export function TicketMarks({ ticket }: { ticket: Ticket }) {
  const { tags = [], snoozed } = ticket
  const wake = useAct(async () => {
    const answer = await actOn(ticket, { snooze: null })
    if (answer.status !== 200) toastError(m.desk_act_failed, answer)
  })
  if (tags.length === 0 && !snoozed) return null
  return (
    <div className="flex basis-full flex-wrap items-center justify-end gap-1.5 max-sm:justify-start">
      {snoozed ? (
        <>
          <Badge tone="warning">
            <AlarmClock size={13} aria-hidden="true" />
            {snoozedText(snoozed)}
          </Badge>
          <Button size="small" look="quiet" pending={wake.pending} onClick={wake.run}>
            {m.desk_wake()}
          </Button>
        </>
      ) : null}
      <TagList tags={tags} />
    </div>
  )
}
