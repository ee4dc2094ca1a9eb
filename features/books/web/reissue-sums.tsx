import type { ReactNode } from 'react'
import { kindText } from '#features/books/texts.ts'
import type { Invoice } from '#features/invoices/contract.ts'
import { paths } from '#features/paths.ts'
import { formatPercent } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import type { ReissuePreview } from './reissue-preview.ts'

type Props = { preview: ReissuePreview; invoice: Invoice }

/** The invoice before and after, with what comes back to the customer; or in words why it cannot be issued anew. */
export function ReissueSums({ preview, invoice }: Props) {
  return (
    <Loaded query={preview} failed={m.books_reissue_preview_failed()} waiting="h-32">
      {(data) => <Known data={data} isBusy={!preview.shown} invoice={invoice} />}
    </Loaded>
  )
}

function Known({ data, isBusy, invoice }: { data: Preview; isBusy: boolean; invoice: Invoice }) {
  const { before, after, difference, refusal } = data
  const rows = [
    { name: m.books_kind(), of: ({ vat_kind }: Sums) => kindText(vat_kind) },
    { name: m.books_rate(), of: ({ country, vat_rate }: Sums) => `${country} ${formatPercent(vat_rate)}` },
    { name: m.books_net(), of: ({ net }: Sums) => formatMoney(net) },
    { name: m.books_vat(), of: ({ vat }: Sums) => formatMoney(vat) },
    { name: m.books_sum(), of: ({ total }: Sums) => formatMoney(total) },
  ]
  return (
    <div aria-busy={isBusy} className="flex flex-col gap-3 text-sm transition-opacity aria-busy:opacity-60">
      {after ? (
        <table className="w-full table-fixed border-collapse">
          <thead>
            <tr className="border-b border-line-strong text-xs text-muted">
              <th scope="col" className="w-1/4">
                <span className="sr-only">{m.books_reissue_sums()}</span>
              </th>
              <HeadCell>{m.books_reissue_before()}</HeadCell>
              <HeadCell>{m.books_reissue_after()}</HeadCell>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, of }) => (
              <tr key={name} className="border-b border-line align-top last:font-semibold">
                <th scope="row" className="py-1.5 text-left font-normal text-muted">
                  {name}
                </th>
                <Value>{of(before)}</Value>
                <Value>{of(after)}</Value>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      <div role="status">
        {refusal ? (
          <Alert tone="danger">
            <Refusal refusal={refusal} invoice={invoice} />
          </Alert>
        ) : (
          <p className="text-pretty">
            {difference.amount === '0'
              ? m.books_reissue_no_difference()
              : m.books_reissue_difference({ amount: formatMoney(difference) })}
          </p>
        )}
      </div>
    </div>
  )
}

type Preview = NonNullable<ReissuePreview['data']>
type Sums = Preview['before']

/**
 * The reason why an invoice cannot be reissued. For a void invoice it names the document that made the invoice void, which another
 * tab may have issued meanwhile.
 */
function Refusal({ refusal, invoice }: { refusal: NonNullable<Preview['refusal']>; invoice: Invoice }) {
  if (refusal === 'total_would_rise') return m.error_total_would_rise()
  if (refusal === 'deactivated') return m.error_deactivated()
  const { replaced_by, credit_notes } = invoice
  const [note] = credit_notes.slice(-1)
  const by = replaced_by ?? note
  if (!by) return m.error_nothing_left()
  return (
    <>
      <span>
        {replaced_by
          ? m.books_reissue_replaced({ number: by.number })
          : m.books_reissue_refunded({ number: by.number })}
      </span>{' '}
      <TextLink to={paths.anyInvoice(by.id)}>{m.books_reissue_show({ number: by.number })}</TextLink>
    </>
  )
}

const HeadCell = ({ children }: { children: ReactNode }) => (
  <th scope="col" className="pb-1.5 pl-3 text-right font-medium">
    {children}
  </th>
)

const Value = ({ children }: { children: ReactNode }) => (
  <td className="py-1.5 pl-3 text-right [overflow-wrap:anywhere] hyphens-auto">{children}</td>
)
