import { useState, type ReactNode } from 'react'
import type { Plan } from '#features/licences/contract.ts'
import { trialPeriod } from '#features/licences/rules.ts'
import { SubmitButton } from '#foundation/web/form/form.tsx'
import { formatDate, formatTerm } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { DialogActions } from '#foundation/web/ui/dialog.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { m } from '#texts/messages.js'
import { Line } from './price-summary.tsx'

/** `choice` offers to try the plan or to pay, if it may be tried. `isTrying` is true if the customer has chosen to try it. */
export function useTrial(plan: Plan | undefined): { isTrying: boolean; choice: ReactNode } {
  const [isWanted, setWanted] = useState(false)
  const days = plan?.trial_days ?? 0
  const choice =
    days === 0 ? null : (
      <Segments
        name="begin"
        label={m.sales_trial_how()}
        options={[
          { value: 'pay', text: m.sales_trial_pay() },
          { value: 'try', text: m.sales_trial_try({ count: days }) },
        ]}
        chosen={isWanted ? 'try' : 'pay'}
        onChoose={(chosen) => setWanted(chosen === 'try')}
      />
    )
  return { isTrying: isWanted && days > 0, choice }
}

/** The end of a trial, and the price of the plan afterwards. */
export function TrialSummary({ plan }: { plan: Plan }) {
  const [now] = useState(() => new Date())
  const { ends_at } = trialPeriod(plan.trial_days, now)
  return (
    <>
      <p aria-live="polite" className="text-sm">
        {m.sales_trial_text({ date: formatDate(ends_at) })}
      </p>
      <dl className="rounded-md border border-line bg-sunken px-4 py-3 text-sm">
        <Line name={m.sales_trial_after()}>
          {m.hosts_price_for({ price: formatMoney(plan.price_total), term: formatTerm(plan.term) })}
        </Line>
      </dl>
    </>
  )
}

export function TrialActions({ onClose }: { onClose: () => void }) {
  return (
    <DialogActions>
      <Button onClick={onClose}>{m.ui_cancel()}</Button>
      <SubmitButton>{m.sales_trial_start()}</SubmitButton>
    </DialogActions>
  )
}
