import { Suspense } from 'react'
import type { TopUp } from '#features/finance/contract.ts'
import { decimalText, type Money } from '#foundation/money.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { CopyButton } from '#foundation/web/ui/copy-button.tsx'
import { Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'

// The module that draws QR codes is loaded on demand: few customers need it, and it is larger than the rest of these details.
const QrCode = lazyPart(() => import('#foundation/web/ui/qr-code.tsx').then((file) => file.QrCode))

/** The details of a bank transfer: each detail to copy, and all of them as a QR code for a banking app. */
export function BankDetails({ bank, amount }: { bank: NonNullable<TopUp['bank']>; amount: Money }) {
  const { account, iban, reference, epc } = bank
  const lines = [
    { term: m.finance_amount(), value: formatMoney(amount), copied: decimalText(amount) },
    { term: m.finance_bank_account(), value: account, copied: account },
    ...(iban === null ? [] : [{ term: m.finance_bank_iban(), value: iban, copied: iban }]),
    { term: m.finance_bank_reference(), value: reference, copied: reference },
  ]
  return (
    <div className="mt-3 flex flex-col gap-4 sm:flex-row sm:items-start">
      <dl className="min-w-0 flex-1 ruled rounded-md border border-line bg-surface text-text">
        {lines.map(({ term, value, copied }) => (
          <div key={term} className="py-1 pr-1 pl-3 sm:flex sm:gap-4">
            <dt className="w-40 shrink-0 pt-1 text-muted sm:py-1">{term}</dt>
            <dd className="flex min-w-0 flex-1 items-center gap-2 font-mono font-medium">
              <span className="min-w-0 flex-1 whitespace-pre-line [overflow-wrap:anywhere]">{value}</span>
              <CopyButton text={copied} />
            </dd>
          </div>
        ))}
      </dl>
      {epc === null ? null : (
        <figure className="flex w-48 shrink-0 flex-col gap-1.5">
          <Suspense fallback={<Skeleton className="size-48" />}>
            <QrCode text={epc} label={m.finance_bank_qr()} />
          </Suspense>
          <figcaption className="text-xs text-pretty text-muted">{m.finance_bank_qr_text()}</figcaption>
        </figure>
      )}
    </div>
  )
}
