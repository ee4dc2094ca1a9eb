import { paths } from '#features/paths.ts'
import type { Plan } from '#features/licences/contract.ts'
import type { Money } from '#foundation/money.ts'
import { SubmitButton } from '#foundation/web/form/form.tsx'
import { formatTerm } from '#foundation/web/i18n/format.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { missingFor } from './missing-amount.ts'

type Props = {
  plan: Plan | undefined
  balance: Money | undefined
  /** The label of the button, given the price. */
  pay: (inputs: { amount: string }) => string
  /** Called when the order has to wait for money, with its form. */
  onWait: (form: HTMLFormElement) => void
  onClose: () => void
}

/** The buttons below an order. The main button names the price; if the balance does not suffice, it leads to a top-up instead (H-03). */
export function OrderActions({ plan, balance, pay, onWait, onClose }: Props) {
  const missing = missingFor(plan, balance)
  return (
    <>
      {missing ? <Alert tone="warning">{m.sales_missing({ amount: formatMoney(missing) })}</Alert> : null}
      <DialogActions summary={plan ? <Summary plan={plan} /> : null}>
        <Button onClick={onClose}>{m.ui_cancel()}</Button>
        {missing ? (
          <ButtonLink
            look="primary"
            to={paths.finances({ missing: missing.amount })}
            onClick={({ currentTarget }) => {
              const form = currentTarget.closest('form')
              if (form) onWait(form)
            }}
          >
            {m.sales_top_up()}
          </ButtonLink>
        ) : (
          <SubmitButton disabled={!plan}>
            {plan ? pay({ amount: formatMoney(plan.price_total) }) : m.sales_order()}
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
