import { expect, it } from 'vitest'
import { vatKinds } from '#features/invoices/rules.ts'
import { amountOf } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import { loweredBy, partOf, totalsOf } from './amounts.ts'
import { explain } from './explain.ts'
import type { Line } from './queries.ts'

const any = (most: number) => Math.floor(Math.random() * most)
const upTo = (most: bigint) => BigInt(any(1_000_000_000)) % (most + 1n)
const sum = (parts: readonly { amount: { amount: string; currency: string } }[]) =>
  parts.reduce((whole, { amount }) => whole + amountOf(amount), 0n)
const START = Date.UTC(2026, 2, 1)
const DAY = 86_400_000

function anyLine(): Line {
  const cost = BigInt(1 + any(50_000))
  const line = {
    quantity: BigInt(1 + any(4)),
    cost,
    allowance: 0n,
    reduction: null,
    starts_at: null,
    ends_at: null,
  }
  const kind = any(3)
  if (kind === 0) {
    const list = line.quantity * cost
    const allowance = BigInt(any(2)) * upTo(list - 1n)
    const reduction = allowance === 0n ? null : { code: 'promo_code' as const, params: { code: 'SPRING' } }
    const description = { code: 'licence_order' as const, params: { host: 'a', plan: 'b' } }
    return { ...line, allowance, reduction, price: list - allowance, description }
  }
  if (kind === 1)
    return {
      ...line,
      quantity: 1n,
      price: cost,
      description: { code: 'partial_refund', params: { number: 'HD-2026-000001' } },
    }
  const params = {
    term_price: String(cost + BigInt(any(9_000))),
    term_starts_at: new Date(START).toISOString(),
  }
  const period = { starts_at: new Date(START + any(20 * DAY)), ends_at: new Date(START + 30 * DAY) }
  return { ...line, ...period, quantity: 1n, price: cost, description: { code: 'licence_upgrade', params } }
}

it('the parts of each amount add up to it, in 2,000 documents of all kinds', () => {
  for (let count = 0; count < 2_000; count += 1) {
    const lines = Array.from({ length: 1 + any(4) }, anyLine)
    const vat_kind = must(vatKinds[count % vatKinds.length])
    const vat_rate_bp =
      vat_kind === 'standard' || vat_kind === 'oss' ? must([700n, 1900n, 2550n][any(3)]) : 0n
    const price = totalsOf(
      lines.map((line) => line.price),
      vat_rate_bp,
    )
    const { money, gift } = loweredBy(price, BigInt(any(2)) * upTo(price.total), vat_rate_bp)
    // A credit note over a part of it has a share of the VAT, which may be a cent beside the VAT of its net.
    const isPart = any(2) === 0 && gift.total === 0n && money.total > 0n
    const left = isPart ? partOf(money, 1n + upTo(money.total - 1n), vat_rate_bp) : money
    const written = isPart
      ? [
          {
            ...must(lines[0]),
            quantity: 1n,
            cost: left.net,
            allowance: 0n,
            reduction: null,
            price: left.net,
            starts_at: null,
            ends_at: null,
          },
        ]
      : lines
    const document = {
      ...left,
      currency: 'EUR',
      allowance: gift.net,
      vat_kind,
      vat_country: 'DE',
      vat_rate_bp,
    }
    const parts = explain(document, written, '19')
    expect(parts.lines.map(sum)).toEqual(written.map((line) => line.price))
    expect([sum(parts.net), sum(parts.vat), sum(parts.total)]).toEqual([left.net, left.vat, left.total])
  }
})

it('an upgrade is the price of the term less the days of it that had passed', () => {
  const [parts] = explain(
    {
      currency: 'EUR',
      net: 3000n,
      vat: 570n,
      allowance: 0n,
      vat_kind: 'standard',
      vat_country: 'DE',
      vat_rate_bp: 1900n,
    },
    [
      {
        description: {
          code: 'licence_upgrade',
          params: {
            host: 'web',
            plan: 'Large',
            term_price: '4000',
            term_starts_at: '2026-03-01T00:00:00.000Z',
          },
        },
        quantity: 1n,
        cost: 3000n,
        allowance: 0n,
        reduction: null,
        price: 3000n,
        starts_at: new Date('2026-03-08T12:00:00Z'),
        ends_at: new Date('2026-03-31T00:00:00Z'),
      },
    ],
    '19',
  ).lines
  expect(parts).toEqual([
    { code: 'term', params: { days: '30' }, amount: { amount: '4000', currency: 'EUR' } },
    { code: 'used', params: { gone: '7.5', days: '30' }, amount: { amount: '-1000', currency: 'EUR' } },
  ])
})

it('days that do not come to the amount are not said', () => {
  const params = { term_price: '1990', term_starts_at: '2026-11-12T07:00:00.000Z' }
  const [parts] = explain(
    {
      currency: 'EUR',
      net: 869n,
      vat: 165n,
      allowance: 0n,
      vat_kind: 'standard',
      vat_country: 'DE',
      vat_rate_bp: 1900n,
    },
    [
      {
        description: { code: 'licence_upgrade', params },
        quantity: 1n,
        cost: 869n,
        allowance: 0n,
        reduction: null,
        price: 869n,
        starts_at: new Date('2026-11-19T00:00:00Z'),
        ends_at: new Date('2026-12-02T00:00:00Z'),
      },
    ],
    '19',
  ).lines
  expect(parts).toMatchObject([{ code: 'quantity', amount: { amount: '869' } }])
})
