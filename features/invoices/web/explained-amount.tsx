import type { Part } from '#features/invoices/explained.ts'
import { reductionText } from '#features/invoices/texts.ts'
import { inLanguage } from '#foundation/locale.ts'
import { toMoney } from '#foundation/money.ts'
import { formatPercent } from '#foundation/web/i18n/format.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { regionName } from '#foundation/web/i18n/region-name.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { m } from '#texts/messages.js'

/** An amount that opens to its parts; on paper it is the amount alone. */
export function AmountButton({
  text,
  name,
  open,
  controls,
  onToggle,
}: {
  text: string
  name: string
  open: boolean
  controls: string
  onToggle: () => void
}) {
  return (
    <>
      <button
        type="button"
        aria-expanded={open}
        aria-controls={controls}
        aria-label={m.invoices_explain({ name, amount: text })}
        title={m.invoices_explain_title()}
        onClick={onToggle}
        className="rounded-sm underline decoration-muted decoration-dotted underline-offset-4 hover:decoration-solid print:hidden"
      >
        {text}
      </button>
      <span className="hidden print:inline" aria-hidden="true">
        {text}
      </span>
    </>
  )
}

/** The parts of an amount, in words, with their sum below them. */
export const Parts = ({
  parts,
  sum,
  lineText,
}: {
  parts: readonly Part[]
  sum: string
  lineText: (place: number) => string
}) => (
  <ul className="flex flex-col gap-1 rounded-md bg-sunken px-3 py-2 text-left text-xs font-normal text-muted print:hidden">
    {parts.map((part, index) => (
      // The parts of an issued document never change their order.
      // oxlint-disable-next-line react/no-array-index-key
      <li key={index} className="flex justify-between gap-4">
        <span className="min-w-0 [overflow-wrap:anywhere]">{partText(part, lineText)}</span>
        <span className="whitespace-nowrap">{formatMoney(part.amount)}</span>
      </li>
    ))}
    <li className="flex justify-between gap-4 border-t border-line pt-1 font-medium text-text">
      <span>{m.invoices_part_sum()}</span>
      <span className="whitespace-nowrap">{sum}</span>
    </li>
  </ul>
)

function partText({ code, params, amount: { currency } }: Part, lineText: (place: number) => string): string {
  const word = (name: string) => inLanguage(params[name], currentLocale())
  const money = (name: string) => formatMoney(toMoney(BigInt(word(name) || '0'), currency))
  const number = (name: string) => Number(word(name)).toLocaleString(currentLocale())
  const vat = () => ({
    rate: formatPercent(word('rate')),
    net: money('net'),
    country: regionName(word('country')),
  })
  switch (code) {
    case 'quantity':
      return m.invoices_part_quantity({ count: word('count'), price: money('price') })
    case 'term':
      return word('count') === ''
        ? m.invoices_part_term({ days: number('days') })
        : m.invoices_part_term_of({ days: number('days'), count: word('count') })
    case 'used':
      return m.invoices_part_used({ gone: number('gone'), days: number('days') })
    case 'reduction':
      return reductionText({ code: 'promo_code', params })
    case 'credited':
      return m.invoices_part_credited({ number: word('number') })
    case 'line':
      return lineText(Number(word('place')))
    case 'gift':
      return m.invoices_part_gift()
    case 'vat_standard':
      return m.invoices_part_vat_standard(vat())
    case 'vat_oss':
      return m.invoices_part_vat_oss(vat())
    case 'vat_reverse_charge':
      return m.invoices_part_vat_reverse_charge()
    case 'vat_outside_eu':
      return m.invoices_part_vat_outside_eu()
    case 'vat_small_business':
      return m.invoices_part_vat_small_business()
    case 'rounding':
      return m.invoices_part_rounding()
    case 'net':
      return m.invoices_net()
    case 'vat':
      return m.invoices_part_vat()
    default:
      return code satisfies never
  }
}
