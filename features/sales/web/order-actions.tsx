import type { Plan } from '#features/licences/contract.ts'
import type { Money } from '#foundation/money.ts'
import { SubmitButton } from '#foundation/web/form/form.tsx'
import { formatTerm } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { missingFor } from './missing-amount.ts'
import { PayMissing } from './pay-missing.tsx'
import type { Paying } from './use-paying.ts'

type Props = {
  plan: Plan | undefined
  balance: Money | undefined
  /** The label of the button, given the price; `payNow` is that of the button where the balance lacks an amount, which is paid first. */
  pay: (inputs: { amount: string }) => string
  payNow: (inputs: { amount: string }) => string
  paying: Paying | undefined
  /** Called when the order has to wait for money, with its form. */
  onWait: (form: HTMLFormElement) => void
  onClose: () => void
}

/**
 * The buttons below an order. The main button names the price; if the balance does not suffice, it names what lacks, and leads to the
 * payment (H-03), or to a top-up where no way to pay is offered.
 */
export function OrderActions({ plan, balance, pay, payNow, paying, onWait, onClose }: Props) {
  const missing = missingFor(plan, balance)
  return (
    <>
      {missing ? <PayMissing missing={missing} paying={paying} onWait={onWait} /> : null}
      <DialogActions summary={plan ? <Summary plan={plan} /> : null}>
        <Button onClick={onClose}>{m.ui_cancel()}</Button>
        {missing && !paying ? null : (
          <SubmitButton disabled={!plan}>
            {missing && paying
              ? payNow({ amount: formatMoney(paying.due) })
              : plan
                ? pay({ amount: formatMoney(plan.price_total) })
                : m.sales_order()}
          </SubmitButton>
        )}
      </DialogActions>
    </>
  )
}

/** The order and its total, which stay in sight while the dialog is scrolled. */
function Summary({ plan: { name, term, price_total } }: { plan: Plan }) {
  const locale = useLocale()
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-sm max-sm:w-full max-sm:justify-between">
      <span className="text-muted">
        {name[locale]}, {formatTerm(term)}
      </span>
      <strong className="font-semibold">{formatMoney(price_total)}</strong>
    </p>
  )
}
