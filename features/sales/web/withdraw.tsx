import { lastMinute } from '#foundation/web/i18n/days.ts'
import { getHost, type Host } from '#features/hosts/contract.ts'
import { listPaidPeriods, withdrawLicence, type PaidPeriod } from '#features/sales/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatDate, formatDateTime } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'

type Props = DialogProps & {
  host: Host
  period: PaidPeriod
  withdrawal: NonNullable<PaidPeriod['withdrawal']>
}

/** The dialog that declares a withdrawal (row L-02). It names the licence that ends, and sends only the id of the order. */
export function Withdraw({ host, period, withdrawal, open, onClose }: Props) {
  const form = useForm(async () => {
    const params = { hostId: host.id }
    const answer = await call(withdrawLicence, { params, body: { order_id: withdrawal.order_id } })
    if (answer.status !== 201) return answer
    const amount = formatMoney(answer.body.proposed_refund)
    toastSuccess(() => m.sales_withdrawn_toast({ amount }))
    for (const route of [getHost, listPaidPeriods]) refreshQueries(route)
    return onClose()
  })
  const title = m.sales_withdraw_title({ date: formatDate(period.ordered_at) })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={title}
      form={form}
      act={m.sales_withdraw_confirm()}
      label={title}
      look="danger"
    >
      <p className="text-sm">{m.sales_withdraw_text({ host: host.name })}</p>
      <p className="text-sm text-muted">
        {m.sales_withdraw_until({ date: formatDateTime(lastMinute(withdrawal.until)) })}
      </p>
    </FormDialog>
  )
}
