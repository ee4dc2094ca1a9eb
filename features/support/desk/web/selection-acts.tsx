import { useState } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import type { Acts } from '#features/support/tickets/shapes.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button, buttonClass } from '#foundation/web/ui/button.tsx'
import { Menu, MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import { withAbsence } from './away.ts'
import { useColleagues } from './hooks.ts'
import { hasActs } from './acts-text.ts'
import { useReplies } from './reply-hooks.ts'
import { actOnSeveral } from './several.ts'

const SeveralDialog = lazyPart(() => import('./several-dialog.tsx').then((file) => file.SeveralDialog))

/** The buttons for the selected tickets. They open no question of their own: what they do can be undone. */
export function SelectionActs({ tickets }: { tickets: readonly Ticket[] }) {
  const me = storedSession.user()?.id
  const [kind, setKind] = useState<'tags' | 'snooze'>('tags')
  const dialog = useLazyDialog(SeveralDialog)
  const colleagues = useColleagues().data?.items ?? []
  const macros = useReplies().data?.items.filter(({ acts }) => hasActs(acts)) ?? []
  const run = async (acts: Acts) => {
    const answer = await actOnSeveral(tickets, acts)
    if (answer.status !== 200) toastError(m.desk_act_failed, answer)
  }
  const close = useAct(() => run({ status: 'closed' }))
  const open = (wanted: typeof kind) => ({
    ...dialog.opener,
    onClick: () => {
      setKind(wanted)
      dialog.show()
    },
  })
  return (
    <>
      <Button size="small" look="primary" pending={close.pending} onClick={close.run}>
        {m.desk_several_close()}
      </Button>
      <Button size="small" {...open('tags')}>
        {m.desk_tags_change()}
      </Button>
      <Menu side="top" trigger={m.desk_several_assign()} triggerClass={buttonClass('secondary', 'small')}>
        <MenuItem onSelect={() => void run({ assignee: 'me' })}>{m.desk_assignee_me()}</MenuItem>
        {colleagues
          .filter(({ id }) => id !== me)
          .map((colleague) => (
            <MenuItem key={colleague.id} onSelect={() => void run({ assignee: colleague.id })}>
              {withAbsence(colleague)}
            </MenuItem>
          ))}
        <MenuItem onSelect={() => void run({ assignee: 'none' })}>{m.desk_give_back()}</MenuItem>
      </Menu>
      {macros.length > 0 ? (
        <Menu side="top" trigger={m.desk_macros()} triggerClass={buttonClass('secondary', 'small')}>
          {macros.map(({ id, title, acts }) => (
            <MenuItem key={id} onSelect={() => void run(acts)}>
              {title}
            </MenuItem>
          ))}
        </Menu>
      ) : null}
      <Button size="small" {...open('snooze')}>
        {m.desk_snooze_open()}
      </Button>
      {dialog.open ? <SeveralDialog {...dialog.dialog} kind={kind} tickets={tickets} /> : null}
    </>
  )
}
