import { useState } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { m } from '#texts/messages.js'
import { usePlans } from './hooks.ts'
import { PlanAtEnd } from './plan-at-end.tsx'
import { UpgradeLicence } from './upgrade-licence.tsx'

/** The dialog that changes the plan of a server: to a higher edition now, or to any plan at the end of the paid time. */
export function ChangePlan({ host, open, onClose }: DialogProps & { host: Host }) {
  const plans = usePlans(host.id)
  const [chosen, setWhen] = useState<'now' | 'end'>()
  const isHighest = plans.data?.items.every(({ upgrade }) => upgrade !== true) ?? false
  const when = chosen ?? (isHighest ? 'end' : 'now')
  return (
    <Dialog open={open} onClose={onClose} wide title={m.sales_change_plan_title({ name: host.name })}>
      <div className="mb-4">
        <Segments
          name="when"
          label={m.sales_when()}
          options={[
            { value: 'now', text: m.sales_when_now() },
            { value: 'end', text: m.sales_when_end() },
          ]}
          chosen={when}
          onChoose={setWhen}
        />
      </div>
      {when === 'now' ? (
        <UpgradeLicence host={host} onClose={onClose} />
      ) : (
        <PlanAtEnd host={host} onClose={onClose} />
      )}
    </Dialog>
  )
}
