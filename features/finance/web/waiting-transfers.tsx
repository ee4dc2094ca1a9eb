import { useState } from 'react'
import { cancelTransfer, type TopUp } from '#features/finance/contract.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'
import { refreshFinances, useWaitingTransfers } from './hooks.ts'
import { WaitingList, WaitingRow } from './waiting-list.tsx'

/**
 * The pending bank transfers, with the details to write on each: the page that first showed them may have been
 * closed. `besides` is the id of a transfer that the page shows already, which is left out.
 */
export function WaitingTransfers({ besides }: { besides: string | undefined }) {
  const pages = useWaitingTransfers()
  const [cancelled, setCancelled] = useState<TopUp>()
  return (
    <>
      <WaitingList
        title={m.finance_waiting()}
        query={pages}
        failed={m.finance_waiting_failed()}
        besides={besides}
      >
        {(transfer) => (
          <WaitingRow key={transfer.id} payment={transfer} words={<TransferWords transfer={transfer} />}>
            {onlyReads() ? null : (
              <Button size="small" onClick={() => setCancelled(transfer)}>
                {m.finance_waiting_cancel()}
              </Button>
            )}
          </WaitingRow>
        )}
      </WaitingList>
      <CancelTransfer transfer={cancelled} onClose={() => setCancelled(undefined)} />
    </>
  )
}

const TransferWords = ({ transfer: { amount, bank, created_at } }: { transfer: TopUp }) => (
  <>
    <span className="font-medium">{formatMoney(amount)}</span>{' '}
    <span className="font-mono">{bank?.reference}</span>
    <span className="block text-muted">{m.finance_waiting_since({ date: formatDate(created_at) })}</span>
  </>
)

function CancelTransfer({ transfer, onClose }: { transfer: TopUp | undefined; onClose: () => void }) {
  // The last transfer is kept, so that the title stays while the dialog closes.
  const [last, setLast] = useState(transfer)
  if (transfer && transfer !== last) setLast(transfer)
  const form = useForm(async () => {
    if (!transfer) return undefined
    const answer = await call(cancelTransfer, { params: { id: transfer.id } })
    refreshFinances()
    if (answer.status !== 200) return answer
    toastSuccess(m.finance_waiting_cancelled)
    onClose()
    return undefined
  })
  const amount = last ? formatMoney(last.amount) : ''
  return (
    <FormDialog
      open={transfer !== undefined}
      onClose={onClose}
      title={m.finance_waiting_cancel_title({ amount })}
      description={m.finance_waiting_cancel_text()}
      form={form}
      act={m.finance_waiting_cancel()}
      look="danger"
      back={<Button onClick={onClose}>{m.ui_back()}</Button>}
    />
  )
}
