import { paths } from '#features/paths.ts'
import { amountOf, toMoney } from '#foundation/money.ts'
import { SubmitButton } from '#foundation/web/form/form.tsx'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { ButtonLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { DialogActions } from '#foundation/web/ui/dialog.tsx'
import { m } from '#texts/messages.js'
import type { Bulk } from './use-bulk.ts'

type Props = {
  act: 'order' | 'renew' | 'upgrade' | 'auto_renew' | 'renewal_plan'
  bulk: Pick<Bulk, 'preview'>
  onClose: () => void
}

/** The buttons below an action for many servers. The main button names the price; if the balance does not suffice, it leads to a top-up. */
export function BulkEnd({ act, bulk: { preview }, onClose }: Props) {
  const own = preview?.payments.find(({ payer }) => payer === null)
  const after = own?.balance_after
  const missing = own && own.refusal !== null && after ? toMoney(-amountOf(after), after.currency) : undefined
  const isRefused =
    !preview || preview.refused.length > 0 || preview.payments.some(({ refusal }) => refusal !== null)
  return (
    <>
      {missing ? (
        <Alert tone="warning">{m.sales_bulk_missing({ amount: formatMoney(missing) })}</Alert>
      ) : null}
      <DialogActions>
        <Button onClick={onClose}>{m.ui_cancel()}</Button>
        {missing ? (
          <ButtonLink look="primary" to={paths.finances({ missing: missing.amount })}>
            {m.sales_top_up()}
          </ButtonLink>
        ) : (
          <SubmitButton disabled={isRefused}>{labelOf(act, preview)}</SubmitButton>
        )}
      </DialogActions>
    </>
  )
}

/** The label of the button: its action, and the price once the preview is there. */
function labelOf(act: Props['act'], preview: Bulk['preview']): string {
  if (act === 'auto_renew' || act === 'renewal_plan') return m.sales_bulk_apply()
  const { does, pays } = PAYING[act]
  return preview ? pays({ amount: formatMoney(preview.expected_total) }) : does()
}

const PAYING = {
  order: { does: m.sales_several_order, pays: m.sales_pay },
  renew: { does: m.sales_bulk_renew, pays: m.sales_pay_renew },
  upgrade: { does: m.sales_upgrade, pays: m.sales_upgrade_pay },
} as const
