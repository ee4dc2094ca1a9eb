import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { paths } from '#features/paths.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { openAt, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { TransactionsPage } from './transactions-page.tsx'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const transaction = {
  id: '00000000-0000-4000-8000-000000000001',
  type: 'fill_balance',
  amount: eur('5000'),
  balance_after: eur('5000'),
  created_at: '2026-11-09T10:00:00.000Z',
  description: { code: 'top_up', params: { provider: 'bank' } },
  invoice_id: null,
  host_id: null,
  reference: 'HD-KXQM-4711-83',
  customer: { id: '00000000-0000-4000-8000-000000000002', name: 'Anna Berger' },
}

beforeEach(startAnew)

const open = (address: string) =>
  openAt(address, [
    { path: paths.allTransactions.pattern, page: () => Promise.resolve(TransactionsPage) },
    { path: paths.customer.pattern, page: () => Promise.resolve(() => null) },
    { path: paths.anyInvoice.pattern, page: () => Promise.resolve(() => null) },
  ])

it('shows the amount, reference and invoice of transactions, and takes the filter from the address', async () => {
  const spent = {
    ...transaction,
    id: '00000000-0000-4000-8000-000000000003',
    type: 'spend',
    amount: eur('-2368'),
    reference: null,
    invoice_id: 'A'.repeat(22),
  }
  await reply('GET /api/staff/transactions/', {
    status: 200,
    body: { items: [transaction, spent], next_cursor: null },
  })
  await open('/staff-transactions?type=spend')
  await expect.element(page.getByText(/HD-KXQM-4711-83/)).toBeVisible()
  await expect.element(page.getByText(formatMoney(spent.amount))).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Invoice' }))
    .toHaveAttribute('href', paths.anyInvoice('A'.repeat(22)))
  await expect.element(page.getByLabelText('Type')).toHaveValue('spend')
  await userEvent.selectOptions(page.getByLabelText('Type'), '')
  await expect.element(page.getByLabelText('Type')).toHaveValue('')
})

it('says so when nothing is found, and shows all again', async () => {
  await reply('GET /api/staff/transactions/', { status: 200, body: { items: [], next_cursor: null } })
  await open('/staff-transactions?q=nobody')
  await userEvent.click(page.getByRole('button', { name: 'Show all transactions' }))
  await expect.element(page.getByText('No transactions yet')).toBeVisible()
})
