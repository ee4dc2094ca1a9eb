import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Switch } from '#foundation/web/ui/switch.tsx'
import type { Choice } from '#features/notifications/contract.ts'
import type { Kind } from '#features/notifications/rules.ts'
import { m } from '#texts/messages.js'
import { change, useChoices } from './hooks.ts'

/** A switch for each kind; pressing it saves. */
export function ChoicesDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const query = useChoices()
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={m.notifications_choose_title()}
      description={m.notifications_choose_text()}
    >
      <Loaded query={query} failed={m.notifications_choices_failed()}>
        {({ items }) => (
          <div className="flex flex-col gap-4">
            {items.map((item) => (
              <Kinds key={item.kind} item={item} />
            ))}
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function Kinds({ item: { kind, bell } }: { item: Choice }) {
  const press = async () => {
    const answer = await change({ kind, bell: !bell })
    if (answer.status !== 200) toastError(() => m.notifications_choices_not_saved(), answer)
  }
  return <Switch label={names[kind]()} checked={bell} onChange={() => void press()} />
}

const names: Readonly<Record<Kind, () => string>> = {
  reply: m.notifications_kind_reply,
  mention: m.notifications_kind_mention,
  assigned: m.notifications_kind_assigned,
  alert: m.notifications_kind_alert,
  approval: m.notifications_kind_approval,
  payment: m.notifications_kind_payment,
  announcement: m.notifications_kind_announcement,
}
