import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { paths } from '#features/paths.ts'
import { openAt, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { ReportsPage } from './reports-page.tsx'
import { csvOf } from './report-table.tsx'

const eur = (amount: string) => ({ amount, currency: 'EUR' })

beforeEach(async () => {
  await startAnew()
  const months = { first_month: '2025-11', last_month: '2025-12' }
  const answers = {
    revenue: {
      ...months,
      rows: [
        { month: '2025-11', vat_kind: 'oss', documents: 3, net: eur('120050'), vat: eur('24010') },
        { month: '2025-12', vat_kind: 'standard', documents: 1, net: eur('10000'), vat: eur('1900') },
      ],
    },
    liability: {
      at: '2025-12-24T10:00:00.000Z',
      owed: eur('70000'),
      gifts: eur('1500'),
      debts: eur('500'),
      months: [{ month: '2025-11', owed: eur('60000'), gifts: eur('0'), debts: eur('0') }],
    },
    balances: {
      day: '2025-12-24',
      owed: eur('70000'),
      gifts: eur('1500'),
      debts: eur('500'),
      customers: 2,
      largest: [{ customer: { id: 'c1', name: 'Anna Berger' }, balance: eur('65000'), gift: eur('1500') }],
      debtors: [
        {
          customer: { id: 'c2', name: 'Boris' },
          debt: eur('400'),
          since: '2026-01-02T03:04:05.000Z',
          days: 12,
        },
      ],
    },
    deferred: { ...months, rows: [{ month: '2025-11', documents: 4, deferred: eur('43210') }] },
    renewals: { days: [] },
    recurring: {
      ...months,
      months: [
        {
          month: '2025-12',
          licences: 2,
          mrr: eur('4990'),
          yearly: eur('59880'),
          customers: 2,
          joined: 1,
          returned: 0,
          lost: 0,
          is_final: false,
        },
      ],
      plans: [
        {
          plan: 'big-year',
          name: { en: 'Big', de: 'Groß', ru: 'Большой' },
          term: 'P1Y',
          licences: 2,
          customers: 2,
          mrr: eur('4990'),
        },
      ],
      best: [{ customer: { id: 'c1', name: 'Anna Berger' }, licences: 1, mrr: eur('3000') }],
    },
    churn: {
      ...months,
      rows: [
        { month: '2025-11', running: 40, ended: 1, is_final: true },
        { month: '2025-12', running: 41, ended: 2, is_final: false },
      ],
    },
  }
  for (const [name, body] of Object.entries(answers))
    await reply(`GET /api/staff/books/${name}/`, { status: 200, body })
})

const open = () =>
  openAt('/staff-reports?tab=figures', [
    { path: paths.reports.pattern, page: () => Promise.resolve(ReportsPage) },
  ])

it('B-13 draws each report, says its values in words by keyboard, and in a table', async () => {
  await open()
  await expect.element(page.getByRole('img', { name: 'Sales' })).toBeVisible()
  const slider = page.getByRole('slider', { name: 'Sales: Month' })
  await expect
    .element(slider)
    .toHaveAttribute('aria-valuetext', expect.stringMatching(/^Dec 25, Domestic: €100\.00/))
  await userEvent.click(slider)
  await userEvent.keyboard('{Home}')
  await expect
    .element(slider)
    .toHaveAttribute('aria-valuetext', expect.stringMatching(/^Nov 25.*\(OSS\): €1,200\.50/))
  await userEvent.click(page.getByText('Show as a table').first())
  const row = page.getByRole('table', { name: 'Sales' }).getByRole('row').filter({ hasText: 'November 2025' })
  await expect.element(row).toHaveTextContent('November 2025One-stop shop (OSS)3€1,200.50€240.10')
  await expect.element(page.getByText('There’s nothing to show yet.')).toBeVisible()
  const owing = page.getByRole('table', { name: 'Owed by customers' })
  await expect.element(owing.getByRole('cell', { name: /12 days$/ })).toBeVisible()
  await userEvent.click(page.getByText(/^The largest balance/))
  const largest = page.getByRole('table', { name: 'Balances by customer' }).getByRole('row').last()
  await expect.element(largest).toHaveTextContent('Anna Berger€650.00€15.00')
  await expect.element(page.getByRole('button', { name: 'By document, November 2025' })).toBeVisible()
  const lastOf = (name: string) => page.getByRole('table', { name }).getByRole('row').last()
  await expect.element(lastOf('MRR by plan')).toHaveTextContent('Big (1 year)€49.9022')
  await expect.element(lastOf('Best customers')).toHaveTextContent('Anna Berger€30.001')
  await expect
    .element(page.getByRole('slider', { name: 'Churn: Month' }))
    .toHaveAttribute('aria-valuetext', 'Dec 25, Churn: 4.9%')
})

it('writes files that spreadsheets open, without formulas', () => {
  const table = {
    head: ['Month', 'Kind', 'Net'],
    rows: [[{ shown: 'May', written: '2025-05' }, '=1+1', eur('-1990')]],
  }
  expect(csvOf(table, 'EUR')).toBe("\uFEFFMonth,Kind,Net,Currency\r\n2025-05,'=1+1,-19.90,EUR\r\n")
})
