import { paidBulkActs, type PaidBulkAct } from '#features/sales/rules.ts'
import { amountOf, toMoney } from '#foundation/money.ts'
import { SubmitButton } from '#foundation/web/form/form.tsx'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import { PayMissing } from './pay-missing.tsx'
import type { Bulk } from './use-bulk.ts'

type Props = {
  act: 'order' | 'renew' | 'upgrade' | 'auto_renew' | 'renewal_plan'
  bulk: Pick<Bulk, 'preview' | 'paying'>
  /** Called with the form when the customer tops up another amount instead. */
  onWait?: (form: HTMLFormElement) => void
  onClose: () => void
}

/**
 * The buttons below an action for many servers. The main button names the price; if the balance does not suffice, it names what lacks, and
 * leads to the payment, or to a top-up where no way to pay is offered.
 */
export function BulkEnd({ act, bulk: { preview, paying }, onWait, onClose }: Props) {
  const own = preview?.payments.find(({ payer }) => payer === null)
  const after = own?.balance_after
  const missing = own && own.refusal !== null && after ? toMoney(-amountOf(after), after.currency) : undefined
  const isRefused =
    !preview || preview.refused.length > 0 || preview.payments.some(({ refusal }) => refusal !== null)
  return (
    <>
      {missing ? <PayMissing missing={missing} paying={paying} onWait={onWait} /> : null}
      <DialogActions>
        <Button onClick={onClose}>{m.ui_cancel()}</Button>
        {paying && isPaid(act) ? (
          <SubmitButton>{PAYING[act].paysNow({ amount: formatMoney(paying.due) })}</SubmitButton>
        ) : missing ? null : (
          <SubmitButton disabled={isRefused}>{labelOf(act, preview)}</SubmitButton>
        )}
      </DialogActions>
    </>
  )
}

const isPaid = (act: Props['act']): act is PaidBulkAct => paidBulkActs.some((one) => one === act)

/** The label of the button: its action, and the price once the preview is there. */
function labelOf(act: Props['act'], preview: Bulk['preview']): string {
  if (!isPaid(act)) return m.sales_bulk_apply()
  const { does, pays } = PAYING[act]
  return preview ? pays({ amount: formatMoney(preview.expected_total) }) : does()
}

const PAYING = {
  order: { does: m.sales_several_order, pays: m.sales_pay, paysNow: m.sales_pay_order },
  renew: { does: m.sales_bulk_renew, pays: m.sales_pay_renew, paysNow: m.sales_pay_renewal },
  upgrade: { does: m.sales_upgrade, pays: m.sales_upgrade_pay, paysNow: m.sales_pay_upgrade },
} as const
