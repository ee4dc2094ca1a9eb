import type { Explained, Part } from '#features/invoices/explained.ts'
import type { VatKind } from '#features/invoices/rules.ts'
import { toMoney, vatOf } from '#foundation/money.ts'
import { inLanguage } from '#foundation/locale.ts'
import type { Line } from './queries.ts'

type Document = {
  currency: string
  net: bigint
  vat: bigint
  /** The part of the net price that a gift has paid. */
  allowance: bigint
  vat_kind: VatKind
  vat_country: string
  vat_rate_bp: bigint
}

const DAY_MS = 86_400_000

/** Takes each amount of a document apart, into parts that add up to it exactly. All is read from the document as it was issued. */
export function explain(document: Document, lines: readonly Line[], vat_rate: string): Explained {
  const { currency, net, vat, allowance } = document
  const part = (code: Part['code'], amount: bigint, params: Part['params'] = {}): Part => ({
    code,
    params,
    amount: toMoney(amount, currency),
  })
  const computed = vatOf(net, document.vat_rate_bp)
  const rest = vat - computed
  return {
    lines: lines.map((line) => partsOfLine(line, part)),
    net: [
      ...lines.map(({ price }, place) => part('line', price, { place: String(place + 1) })),
      ...(allowance === 0n ? [] : [part('gift', -allowance)]),
    ],
    vat: [
      part(`vat_${document.vat_kind}`, computed, {
        rate: vat_rate,
        country: document.vat_country,
        net: net.toString(),
      }),
      // A part of a sale has its share of the VAT, which may differ by a cent from the VAT of the part.
      ...(rest === 0n ? [] : [part('rounding', rest)]),
    ],
    total: [part('net', net), part('vat', vat)],
  }
}

type Write = (code: Part['code'], amount: bigint, params?: Part['params']) => Part

/** A line is a part of a term, a part of another document, or so many pieces at a price; a promo code may have lowered it. */
function partsOfLine(line: Line, part: Write): Part[] {
  const { allowance, reduction } = line
  return [
    ...(restOfTerm(line, part) ?? [whole(line, part)]),
    ...(reduction ? [part('reduction', -allowance, reduction.params)] : []),
  ]
}

function whole({ description: { code, params }, quantity, cost }: Line, part: Write): Part {
  const number = params['number']
  if (code === 'partial_refund' || code === 'refund_of_host' || code === 'rest_of_invoice')
    return part('credited', quantity * cost, number === undefined ? {} : { number })
  return part('quantity', quantity * cost, { count: quantity.toString(), price: cost.toString() })
}

/**
 * The line of an upgrade: the price of the whole term, less the part of it that had passed. Undefined for other lines, and where the days do
 * not come to the amount: words must not explain it by what is not so.
 */
function restOfTerm({ description: { params }, quantity, cost, ends_at, starts_at }: Line, part: Write) {
  const [price, since] = [plain(params['term_price']), plain(params['term_starts_at'])]
  if (price === '' || since === '' || !starts_at || !ends_at) return undefined
  const days = (from: number, to: number) => String(Math.round((10 * (to - from)) / DAY_MS) / 10)
  const all = days(Date.parse(since), ends_at.getTime())
  const gone = days(Date.parse(since), starts_at.getTime())
  const amount = quantity * cost
  const [whole_ms, rest_ms] = [ends_at.getTime() - Date.parse(since), ends_at.getTime() - starts_at.getTime()]
  const off = amount * BigInt(whole_ms) - BigInt(price) * BigInt(rest_ms)
  if ((off < 0n ? -off : off) > BigInt(whole_ms)) return undefined
  const used = amount - BigInt(price)
  const count = params['count']
  return [
    part('term', BigInt(price), { days: all, ...(count !== undefined && { count }) }),
    ...(used === 0n ? [] : [part('used', used, { gone, days: all })]),
  ]
}

const plain = (value: Part['params'][string] | undefined): string =>
  value === undefined ? '' : inLanguage(value, 'en')
