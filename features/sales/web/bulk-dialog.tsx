import { useEffect, useState } from 'react'
import type { Host } from '#features/hosts/contract.ts'
import { orderTerms } from '#features/legal/slots.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { m } from '#texts/messages.js'
import { BeginNow } from './begin-now.tsx'
import type { Many } from './many.ts'
import { BulkEnd } from './bulk-end.tsx'
import { BulkSummary } from './bulk-summary.tsx'
import { usePlans } from './hooks.ts'
import { NoneForSale } from './none-for-sale.tsx'
import { OrderReference } from './order-reference.tsx'
import { PlanField } from './plan-field.tsx'
import { useBulk } from './use-bulk.ts'

type Props = DialogProps & {
  act: Many
  hosts: readonly Host[]
  onTakeOut: (ids: readonly string[]) => void
  onDone: () => void
}

/** The dialog for one action on the selected servers. It shows each payer's part before Enter pays; refused servers can be taken out. */
export function BulkDialog({ act, hosts, open, onClose, onTakeOut, onDone }: Props) {
  const [slug, setSlug] = useState(act === 'renew' ? '' : undefined)
  const [isOn, setOn] = useState(true)
  const plans = usePlans()
  const offered = plans.data?.items ?? []
  const plan = slug ?? offered[0]?.slug ?? ''
  const wish = {
    act,
    host_ids: hosts.map(({ id }) => id),
    ...(plan === '' || act === 'auto_renew' ? {} : { plan }),
  }
  const isReady = hosts.length > 0 && (act === 'renew' || act === 'auto_renew' || plan !== '')
  const bulk = useBulk(wish, {
    isReady,
    more: act === 'auto_renew' ? { auto_renew: isOn } : {},
    onClose,
    onDone: ({ servers }) => {
      toastSuccess(() => DONE[act]({ count: servers.length }))
      onClose()
      onDone()
    },
  })
  // The dialog closes once all servers were taken out, here or in another tab.
  useEffect(() => {
    if (hosts.length === 0) onClose()
  }, [hosts.length, onClose])
  const title = TITLES[act]({ count: hosts.length })
  const paysNow = act === 'renew' || act === 'upgrade'
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      wide
      title={title}
      description={m.sales_bulk_text()}
      form={bulk.form}
      act={title}
      actions={<BulkEnd act={act} bulk={bulk} onClose={onClose} />}
    >
      {act === 'auto_renew' ? (
        <Segments
          name="on"
          label={m.sales_bulk_auto_renew()}
          options={[
            { value: 'on', text: m.sales_bulk_on() },
            { value: 'off', text: m.sales_bulk_off() },
          ]}
          chosen={isOn ? 'on' : 'off'}
          onChoose={(value) => setOn(value === 'on')}
        />
      ) : act !== 'renew' && plans.data?.items.length === 0 ? (
        <NoneForSale />
      ) : (
        <PlanField
          plans={offered}
          value={plan}
          onChoose={setSlug}
          empty={act === 'renew' ? m.sales_bulk_own_plan() : undefined}
        />
      )}
      <BulkSummary
        act={act}
        bulk={bulk}
        onTakeOut={(out) => onTakeOut(out.flatMap(({ host_id }) => host_id ?? []))}
      />
      {paysNow ? <OrderReference defaultValue={undefined} /> : null}
      {act === 'renew' && hosts.some(({ licence }) => licence.status !== 'active') ? (
        <Slot of={orderTerms} props={{}} />
      ) : null}
      {paysNow ? <BeginNow plan={bulk.preview} /> : null}
    </FormDialog>
  )
}

const TITLES = {
  renew: m.sales_bulk_renew_title,
  upgrade: m.sales_bulk_upgrade_title,
  auto_renew: m.sales_bulk_auto_renew_title,
  renewal_plan: m.sales_bulk_renewal_plan_title,
} as const

const DONE = {
  renew: m.sales_bulk_renewed,
  upgrade: m.sales_bulk_upgraded,
  auto_renew: m.sales_bulk_set,
  renewal_plan: m.sales_bulk_set,
} as const
