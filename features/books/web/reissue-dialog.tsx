import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  getAnyInvoice,
  listAllInvoices,
  listAllTransactions,
  sumInvoices,
  type InvoiceWithChain,
} from '#features/books/contract.ts'
import { listCustomerInvoices } from '#features/customers/contract.ts'
import { customerTransactions } from '#features/finance/contract.ts'
import { previewReissue, reissueInvoice } from '#features/invoices/contract.ts'
import { getCustomer } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { ActDialog, type Send } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { ReissueSums } from './reissue-sums.tsx'
import { buyerIn, ReissueBuyer, ReissueVat } from './reissue-buyer.tsx'
import { useReissuePreview } from './reissue-preview.ts'

type Props = DialogProps & {
  invoice: { id: string; number: string }
  /** Gets the id of the new invoice. */
  onDone?: (publicId: string) => void
}

/** The dialog that cancels an invoice and issues it anew. It shows the new amounts beforehand, and keeps typed text after a refusal. */
export function ReissueDialog({ invoice: { id, number }, ...dialog }: Props) {
  const query = useQuery(queryFor(getAnyInvoice, { params: { publicId: id } }))
  if (query.data) return <Known found={query.data} {...dialog} />
  return (
    <ActDialog {...frameOf(number)} {...dialog} isReady={false} submit={() => Promise.resolve()}>
      <Loaded query={query} failed={m.books_invoice_failed()} />
    </ActDialog>
  )
}

type KnownProps = Omit<Props, 'invoice'> & { found: InvoiceWithChain }

function Known({ found: { invoice }, onDone, ...dialog }: KnownProps) {
  const { id: publicId, number } = invoice
  const [isTyped, setTyped] = useState(false)
  const [vat, setVat] = useState<'keep' | 'decide'>('keep')
  const { country, zip, city, vat_id } = invoice.to
  const [place, setPlace] = useState({ country, zip, city, vat_id })
  const preview = useReissuePreview(publicId, { vat, typed: isTyped ? place : undefined })
  const after = preview.shown?.refusal === null ? preview.shown.after : null

  const submit = async (fields: FormFields, send: Send) => {
    if (!after) return undefined
    const body = {
      buyer: isTyped ? buyerIn(fields) : ('profile' as const),
      vat,
      reason: fields.text('reason'),
      expected_total: after.total,
    }
    const answer = await send(body, (headers) =>
      call(reissueInvoice, { params: { publicId }, headers, body }),
    )
    if (!answer) return undefined
    // A refusal may be due to a change by another tab or member, which the dialog then shows.
    refreshInvoices()
    if (answer.status !== 201) return answer
    const { invoice: issued, credit_note } = answer.body
    toastSuccess(() => m.books_reissued({ number, issued: issued.number, credit_note: credit_note.number }))
    dialog.onClose()
    return onDone?.(issued.id)
  }
  return (
    <ActDialog {...frameOf(number)} {...dialog} isReady={after !== null} submit={submit}>
      <ReissueBuyer
        printed={invoice.to}
        profile={preview.data?.profile ?? null}
        isTyped={isTyped}
        onTyped={setTyped}
        onPlace={(change) => setPlace((before) => ({ ...before, ...change }))}
      />
      <ReissueVat vat={vat} onVat={setVat} />
      <ReissueSums preview={preview} invoice={invoice} />
      <TextField
        name="reason"
        label={m.books_reissue_reason()}
        hint={m.books_reissue_reason_hint()}
        most={200}
        autoComplete="off"
        required
      />
    </ActDialog>
  )
}

const frameOf = (number: string) => ({
  title: m.books_reissue_title({ number }),
  description: m.books_reissue_text(),
  act: m.books_reissue(),
})

/** Reloads all queries that show documents or money, after documents were added and money may have moved. */
function refreshInvoices(): void {
  for (const route of [
    getAnyInvoice,
    previewReissue,
    listAllInvoices,
    sumInvoices,
    listAllTransactions,
    listCustomerInvoices,
    customerTransactions,
    getCustomer,
  ])
    refreshQueries(route)
}
