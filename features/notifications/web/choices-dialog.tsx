import type { ReactNode } from 'react'
import type { Choice } from '#features/notifications/contract.ts'
import type { Kind } from '#features/notifications/rules.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Switch } from '#foundation/web/ui/switch.tsx'
import { m } from '#texts/messages.js'
import { change, useChoices } from './hooks.ts'
import { ThisBrowser } from './this-browser.tsx'

/** A switch for each kind, in the bell and in browsers; pressing it saves. */
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
          <div className="flex flex-col gap-6">
            <Group title={m.notifications_in_bell()}>
              {items.map((item) => (
                <KindSwitch key={item.kind} item={item} of="bell" />
              ))}
            </Group>
            <Group title={m.notifications_in_browsers()}>
              <ThisBrowser />
              {items.map((item) => (
                <KindSwitch key={item.kind} item={item} of="push" />
              ))}
            </Group>
          </div>
        )}
      </Loaded>
    </Dialog>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-4">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </section>
  )
}

function KindSwitch({ item, of }: { item: Choice; of: 'bell' | 'push' }) {
  const press = async () => {
    const answer = await change({ kind: item.kind, [of]: !item[of] })
    if (answer.status !== 200) toastError(() => m.notifications_choices_not_saved(), answer)
  }
  return <Switch label={names[item.kind]()} checked={item[of]} onChange={() => void press()} />
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
