import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { paths } from '#features/paths.ts'
import { openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { ReportsPage } from './reports-page.tsx'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const row = {
  vat_kind: 'oss',
  country: 'FR',
  vat_rate: '20',
  vat_id: '',
  corrected_quarter: null,
  documents: 3,
}
const report = (more: object = {}) => ({
  quarter: '2025-Q4',
  first_day: '2025-10-01',
  last_day: '2025-12-31',
  is_over: true,
  sales: [
    { ...row, net: eur('40000'), vat: eur('8000') },
    { ...row, country: 'AT', net: eur('10000'), vat: eur('2000') },
  ],
  corrections: [{ ...row, corrected_quarter: '2025-Q3', net: eur('-10000'), vat: eur('-2000') }],
  vat: eur('8000'),
  booked: eur('8000'),
  ...more,
})
const answerWith = (body: object) => reply('GET /api/staff/books/vat/', { status: 200, body })

beforeEach(startAnew)

const open = () =>
  openAt('/staff-reports?quarter=2025-Q4', [
    { path: paths.reports.pattern, page: () => Promise.resolve(ReportsPage) },
  ])

it('shows each kind with its sum, corrections with their quarter, and asks for the chosen one', async () => {
  await answerWith(report())
  await open()
  const oss = page.getByRole('table', { name: 'One-stop shop (OSS)' })
  await expect
    .element(oss.getByRole('row').filter({ hasText: 'Total' }))
    .toHaveTextContent('Total6€500.00€100.00')
  await expect.element(page.getByText('One-stop shop (OSS) · Q3 2025')).toBeVisible()
  await expect.element(page.getByText('The ledger agrees: €80.00 VAT')).toBeVisible()
  const select = page.getByLabelText('Quarter')
  const [, second] = [...select.element().querySelectorAll('option')]
  await userEvent.selectOptions(select, second?.value ?? '')
  await expect.poll(async () => (await sent('GET', '/api/staff/books/vat/')).length).toBe(2)
})

it('warns where the ledger differs, and says so when there is nothing', async () => {
  await answerWith(report({ booked: eur('8001') }))
  await open()
  await expect.element(page.getByText('The ledger differs')).toBeVisible()
  await expect.element(page.getByText(/the ledger holds €80\.01/)).toBeVisible()
})

it('says when a quarter has no invoices', async () => {
  await answerWith(report({ sales: [], corrections: [], vat: eur('0'), booked: eur('0') }))
  await open()
  await expect.element(page.getByText('No invoices in this quarter')).toBeVisible()
})
