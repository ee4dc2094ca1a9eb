import X from 'lucide-react/icons/x'
import type { Ticket } from '#features/support/tickets/contract.ts'
import type { Acts } from '#features/support/tickets/shapes.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { IconButton } from '#foundation/web/ui/icon-button.tsx'
import { m } from '#texts/messages.js'
import { actOn } from './acts.ts'
import { actTexts } from './acts-text.ts'
import { useColleagues } from './hooks.ts'

type Props = { ticket: Ticket; acts: Acts; onDrop: () => void }

/** The acts of a macro that follow the reply: they go with it, are done at once without it, or are left out. */
export function PlannedActs({ ticket, acts, onDrop }: Props) {
  const colleagues = useColleagues().data?.items ?? []
  const now = useAct(async () => {
    if (await doMacro(ticket, acts)) onDrop()
  })
  return (
    <p role="status" className="flex w-full flex-wrap items-center gap-2 text-xs text-muted">
      <span>{m.desk_macro_after({ acts: actTexts(acts, colleagues).join(' · ') })}</span>
      <Button size="small" pending={now.pending} onClick={now.run}>
        {m.desk_macro_now()}
      </Button>
      <IconButton label={m.desk_macro_drop()} icon={<X size={14} aria-hidden="true" />} onClick={onDrop} />
    </p>
  )
}

/** Does the acts of a macro without a reply. Returns false, with a toast that says why, if they were refused. */
export async function doMacro(ticket: Ticket, acts: Acts): Promise<boolean> {
  const answer = await actOn(ticket, acts)
  if (answer.status === 200) toastSuccess(m.desk_macro_done)
  else toastError(m.desk_act_failed, answer)
  return answer.status === 200
}
