import type { Invoice } from '#features/invoices/contract.ts'
import { isLowered, lineText, reductionText } from '#features/invoices/texts.ts'
import { amountOf, toMoney } from '#foundation/money.ts'
import { formatDay, formatPercent } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { classNames } from '#foundation/web/ui/class-names.ts'
import { m } from '#texts/messages.js'
import type { ReactNode } from 'react'
import { useExplained } from './use-explained.tsx'

/**
 * The ordered items, and the sums: net, VAT by rate, total. On a phone quantity, cost and rate are below the
 * text.
 */
export function InvoiceLines({ invoice }: { invoice: Invoice }) {
  const { lines, net, allowance, vat, total, vat_rate } = invoice
  const price = toMoney(amountOf(net) + amountOf(allowance), net.currency)
  // A small business states no VAT, not even 0 %.
  const showsVat = invoice.vat_kind !== 'small_business'
  const explain = useExplained(invoice)
  return (
    <div>
      <table className="w-full border-collapse">
        <thead>
          <tr className="border-b border-line-strong text-left text-xs text-muted">
            <th className="pb-2 font-medium">{m.invoices_description()}</th>
            <th className={`${numberClass} pb-2 pl-4 font-medium max-sm:hidden`}>{m.invoices_quantity()}</th>
            <th className={`${numberClass} pb-2 pl-4 font-medium max-sm:hidden`}>{m.invoices_cost()}</th>
            {showsVat ? (
              <th className={`${numberClass} pb-2 pl-4 font-medium max-sm:hidden`}>
                {m.invoices_vat_rate()}
              </th>
            ) : null}
            <th className={`${numberClass} pb-2 pl-4 font-medium`}>{m.invoices_price()}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            // An issued invoice never changes, so its lines stay in their order.
            // oxlint-disable-next-line react/no-array-index-key
            <Line key={index} line={line} showsVat={showsVat} {...explain.line(index)} />
          ))}
        </tbody>
      </table>
      <dl className="mt-4 ml-auto w-full sm:max-w-80">
        {isLowered(invoice) ? (
          <>
            <Sum term={m.invoices_subtotal()} value={formatMoney(price)} />
            <Sum term={m.invoices_allowance()} value={`−${formatMoney(allowance)}`} />
          </>
        ) : null}
        {showsVat ? (
          <>
            <Sum term={m.invoices_net()} {...explain.sum('net', m.invoices_net(), net)} />
            <Sum
              term={m.invoices_vat({ rate: formatPercent(vat_rate) })}
              {...explain.sum('vat', m.invoices_vat({ rate: formatPercent(vat_rate) }), vat)}
            />
          </>
        ) : null}
        <Sum term={m.invoices_total()} {...explain.sum('total', m.invoices_total(), total)} isTotal />
      </dl>
    </div>
  )
}

type LineProps = { line: Invoice['lines'][number]; showsVat: boolean; value: ReactNode; parts: ReactNode }

function Line({ line, showsVat, value, parts }: LineProps) {
  const { description, quantity, cost, allowance, vat_rate, period } = line
  return (
    <>
      <tr className="break-inside-avoid border-b border-line align-top">
        <td className="py-3">
          <span className="block font-medium text-pretty [overflow-wrap:anywhere]">
            {lineText(description)}
          </span>
          {period ? (
            <span className="block text-muted">
              {`${formatDay(period.first_day)} – ${formatDay(period.last_day)}`}
            </span>
          ) : null}
          {allowance ? (
            <span className="block text-muted [overflow-wrap:anywhere]">
              {`${reductionText(allowance.reduction)}: −${formatMoney(allowance.amount)}`}
            </span>
          ) : null}
          <span className="block text-muted sm:hidden">
            {[
              `${quantity} × ${formatMoney(cost)}`,
              ...(showsVat ? [m.invoices_vat({ rate: formatPercent(vat_rate) })] : []),
            ].join(' · ')}
          </span>
        </td>
        <td className={`${numberClass} py-3 pl-4 max-sm:hidden`}>{quantity}</td>
        <td className={`${numberClass} py-3 pl-4 max-sm:hidden`}>{formatMoney(cost)}</td>
        {showsVat ? (
          <td className={`${numberClass} py-3 pl-4 max-sm:hidden`}>{formatPercent(vat_rate)}</td>
        ) : null}
        <td className={`${numberClass} py-3 pl-4`}>{value}</td>
      </tr>
      {parts ? (
        <tr className="border-b border-line">
          <td colSpan={5} className="py-2">
            {parts}
          </td>
        </tr>
      ) : null}
    </>
  )
}

type SumProps = { term: string; value: ReactNode; parts?: ReactNode; isTotal?: boolean }

const Sum = ({ term, value, parts, isTotal }: SumProps) => (
  <div
    className={classNames(
      'flex flex-wrap justify-between gap-x-6 gap-y-3 py-1.5',
      isTotal && 'mt-1.5 border-t border-line-strong pt-3 text-base font-semibold',
    )}
  >
    <dt className={classNames('flex-1', !isTotal && 'text-muted')}>{term}</dt>
    <dd>{value}</dd>
    {parts ? <dd className="w-full pb-0.5">{parts}</dd> : null}
  </div>
)

const numberClass = 'text-right whitespace-nowrap'
