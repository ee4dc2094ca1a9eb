import { useState } from 'react'
import {
  getCustomerVatStatus,
  overrideVat,
  type PlaceStatus,
  type VatStatus,
} from '#features/invoices/contract.ts'
import { treatments, type Treatment } from '#features/invoices/rules.ts'
import { listApprovals } from '#features/approvals/contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { timesOf } from '#foundation/web/i18n/days.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { DayField } from '#foundation/web/ui/day-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { CustomerActDialog } from './customer-act-dialog.tsx'
import { treatmentTexts } from './vat-texts.ts'

type Props = DialogProps & {
  card: CustomerCard
  status: VatStatus & { override: { treatment: Treatment; in_force: boolean } | null; place: PlaceStatus }
}

/** Decides how a customer elsewhere in the EU is taxed, once a second person has confirmed it. */
export function ChangeVat({ card, status, ...dialog }: Props) {
  const now = status.override?.in_force ? status.override.treatment : 'automatic'
  const [treatment, setTreatment] = useState<Treatment>(
    now !== 'automatic' ? 'automatic' : status.place.state === 'agreed' ? 'business' : 'resident',
  )
  const isOfPlace = treatment === 'resident' || treatment === 'elsewhere'
  const [until, setUntil] = useState('')
  // The treatment when the dialog opened, or after a conflict; the page behind the dialog may show another one by now.
  const [from, setFrom] = useState<Treatment>(now)
  return (
    <CustomerActDialog
      {...dialog}
      title={m.customers_vat_change_title({ name: card.name || card.email })}
      description={m.customers_vat_change_text()}
      act={m.customers_vat_change()}
      send={async (reason, fields) => {
        const valid_until = timesOf({ from: '', to: until }).to
        const answer = await call(overrideVat, {
          params: { userId: card.id },
          body: {
            treatment,
            from,
            reason,
            ...(treatment === 'business' ? { vat_id: fields.text('vat_id') } : {}),
            // The place that was shown, even if the customer moves meanwhile.
            ...(isOfPlace ? { place: status.place.place } : {}),
            ...(treatment !== 'automatic' && valid_until ? { valid_until } : {}),
          },
        })
        if (answer.status === 409 && answer.errors[0]?.code === 'changed')
          setFrom(answer.body.present.treatment)
        refreshQueries(getCustomerVatStatus)
        refreshQueries(listApprovals)
        return answer
      }}
      done={({ status: answered }) => (answered === 202 ? m.customers_vat_waits() : m.customers_vat_saved())}
      before={
        <>
          <SelectField
            name="treatment"
            label={m.customers_vat_treatment()}
            // The choice is not bound by `value`: the form renders at each input, before `onChange` runs, and would put the old
            // choice back.
            defaultValue={treatment}
            onChange={(event) =>
              setTreatment(treatments.find((one) => one === event.target.value) ?? 'automatic')
            }
            options={treatments.map((value) => ({ value, label: treatmentTexts[value]() }))}
          />
          {treatment === 'business' ? (
            <TextField
              name="vat_id"
              label={m.customers_vat_change_id()}
              hint={m.customers_vat_change_id_hint()}
              defaultValue={status.vat_id}
              most={30}
              autoComplete="off"
              required
            />
          ) : null}
          {treatment === 'automatic' ? null : (
            <DayField name="valid_until" label={m.customers_vat_until()} value={until} onDay={setUntil} />
          )}
        </>
      }
    />
  )
}
