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
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { itemsOf, LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { BankDetails } from './bank-details.tsx'
import { refreshFinances, useWaitingTransfers } from './hooks.ts'

/**
 * The pending bank transfers, with the details to write on each: the page that first showed them may have been
 * closed. `besides` is the id of a transfer that the page shows already, which is left out.
 */
export function WaitingTransfers({ besides }: { besides: string | undefined }) {
  const pages = useWaitingTransfers()
  const [cancelled, setCancelled] = useState<TopUp>()
  return (
    <>
      <Loaded query={pages} failed={m.finance_waiting_failed()} waiting={null}>
        {() => {
          const transfers = itemsOf(pages)?.filter(({ id }) => id !== besides) ?? []
          return transfers.length === 0 ? null : (
            <Card title={m.finance_waiting()}>
              <LoadedList query={pages} failed={m.finance_waiting_failed()} none={null}>
                {() => (
                  <ul className="-my-2 ruled">
                    {transfers.map((transfer) => (
                      <Transfer
                        key={transfer.id}
                        transfer={transfer}
                        onCancel={() => setCancelled(transfer)}
                      />
                    ))}
                  </ul>
                )}
              </LoadedList>
            </Card>
          )
        }}
      </Loaded>
      <CancelTransfer transfer={cancelled} onClose={() => setCancelled(undefined)} />
    </>
  )
}

function Transfer({ transfer, onCancel }: { transfer: TopUp; onCancel: () => void }) {
  const [open, setOpen] = useState(false)
  const { bank, amount, created_at } = transfer
  if (!bank) return null
  return (
    <li className="py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0">
          <span className="font-medium">{formatMoney(amount)}</span>{' '}
          <span className="font-mono">{bank.reference}</span>
          <span className="block text-muted">
            {m.finance_waiting_since({ date: formatDate(created_at) })}
          </span>
        </p>
        <div className="flex flex-wrap gap-2">
          <Button size="small" aria-expanded={open} onClick={() => setOpen(!open)}>
            {open ? m.finance_waiting_hide() : m.finance_waiting_show()}
          </Button>
          {onlyReads() ? null : (
            <Button size="small" onClick={onCancel}>
              {m.finance_waiting_cancel()}
            </Button>
          )}
        </div>
      </div>
      {open ? <BankDetails bank={bank} amount={amount} /> : null}
    </li>
  )
}

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
