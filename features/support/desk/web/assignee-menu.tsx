import UserRoundCheck from 'lucide-react/icons/user-round-check'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { MenuGroup, MenuItem } from '#foundation/web/ui/menu.tsx'
import { m } from '#texts/messages.js'
import { ActionMenu } from './action-menu.tsx'
import { absenceText, withAbsence } from './away.ts'
import { unassign, handOver } from './assign.ts'
import { useColleagues, useOthers } from './hooks.ts'

const HandOverDialog = lazyPart(() => import('./hand-over-dialog.tsx').then((file) => file.HandOverDialog))

/** The assignee of the ticket, and the possible next ones: a colleague, oneself, or nobody. */
export function AssigneeMenu({ ticket }: { ticket: Ticket }) {
  const me = storedSession.user()?.id
  const { assignee, status } = ticket
  const away = absenceText(useColleagues().data?.items.find(({ id }) => id === assignee?.id) ?? { name: '' })
  const noted = useLazyDialog(HandOverDialog)
  const text =
    assignee === null
      ? m.desk_nobody_has_it()
      : assignee.id === me
        ? m.desk_you_have_it()
        : away || m.desk_has_it({ name: assignee.name || m.desk_unnamed() })
  return (
    <>
      {status === 'closed' ? (
        <span className="self-center text-sm text-muted">{text}</span>
      ) : (
        <ActionMenu
          label={text}
          iconOnly={assignee === null}
          // The name is enough as visible text.
          text={assignee === null || assignee.id === me ? text : assignee.name || m.desk_unnamed()}
          icon={<UserRoundCheck size={16} aria-hidden="true" className="shrink-0 text-muted" />}
        >
          <Colleagues ticket={ticket} />
          <div className="border-t border-line py-1">
            <MenuItem onSelect={noted.show}>{m.desk_hand_over_with_note()}</MenuItem>
            {assignee === null ? null : (
              <MenuItem onSelect={() => void unassign(ticket)}>{m.desk_give_back()}</MenuItem>
            )}
          </div>
        </ActionMenu>
      )}
      {noted.open ? <HandOverDialog ticket={ticket} {...noted.dialog} /> : null}
    </>
  )
}

function Colleagues({ ticket }: { ticket: Ticket }) {
  const { data } = useColleagues()
  const me = storedSession.user()?.id
  const others = useOthers(ticket)
  return (
    <MenuGroup label={m.desk_hand_over_to()}>
      {data && others.length === 0 ? (
        <p className="px-2 py-1.5 text-muted">{m.desk_nobody_else()}</p>
      ) : (
        others.map((colleague) => (
          <MenuItem key={colleague.id} onSelect={() => void handOver(ticket, colleague)}>
            {colleague.id === me ? m.desk_assignee_me() : withAbsence(colleague)}
          </MenuItem>
        ))
      )}
    </MenuGroup>
  )
}
