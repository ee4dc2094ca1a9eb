import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { paths } from '#features/paths.ts'
import { lastToast, openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { InvoicesPage } from './invoices-page.tsx'

const eur = (amount: string) => ({ amount, currency: 'EUR' })
const invoice = (id: string, more: object = {}) => ({
  id,
  number: `HD-2026-00000${id}`,
  kind: 'invoice',
  cancels: false,
  status: 'paid',
  issued_at: '2026-01-02T03:04:05.678Z',
  issued_on: '2026-01-02',
  due_at: '2026-01-02T03:04:05.678Z',
  net: eur('10000'),
  vat: eur('2000'),
  total: eur('12000'),
  customer_id: '00000000-0000-4000-8000-000000000002',
  buyer: 'Anna Berger',
  vat_kind: 'oss',
  country: 'FR',
  vat_rate: '20',
  ...more,
})
const totals = {
  first_day: '2024-01-03',
  last_day: '2026-01-02',
  count: 2,
  net: eur('0'),
  vat: eur('0'),
  total: eur('0'),
}

beforeEach(async () => {
  await startAnew()
  await reply('GET /api/countries/list/', { status: 200, body: [{ code: 'FR', name: 'France' }] })
  await reply('GET /api/staff/invoices/', {
    status: 200,
    body: { items: [invoice('2', { kind: 'credit_note' }), invoice('1')], next_cursor: null },
  })
  await reply('GET /api/staff/invoices/totals/', { status: 200, body: totals })
  await reply('GET /api/staff/vat-ids/', { status: 200, body: { items: [], next_cursor: null } })
  await reply('GET /api/staff/me/', {
    status: 200,
    body: { roles: ['billing'], permissions: ['invoices.read', 'vat.override'], two_factor: 'ok' },
  })
})

const open = (query = '') =>
  openAt(`/staff-invoices${query}`, [
    { path: paths.allInvoices.pattern, page: () => Promise.resolve(InvoicesPage) },
  ])

// This test failed while only the list, which could not be loaded, showed an error.
it('says at the second day that it is before the first', async () => {
  await open('?from=2026-10-01&to=2026-01-01')
  await expect
    .element(page.getByLabelText('To', { exact: true }))
    .toHaveAccessibleDescription('Must not be before “From”')
})

it('shows documents with their customers, takes credit notes off, and says what the sums cover', async () => {
  await open()
  const note = page.getByRole('row').filter({ hasText: 'HD-2026-000002' })
  await expect.element(note.getByText('Credit note')).toBeVisible()
  await expect.element(note.getByText('−€120.00')).toBeVisible()
  await expect.element(note.getByRole('link', { name: 'Anna Berger' })).toBeVisible()
  await expect.element(page.getByText('3 Jan 2024 – 2 Jan 2026, less credit notes')).toBeVisible()
})

it('keeps the filter in the address, and asks list and sums with it', async () => {
  const { address } = await open()
  // The filter is chosen before the search is sent off: neither undoes the other.
  await userEvent.fill(page.getByLabelText('Search invoices'), 'anna')
  await userEvent.click(page.getByRole('button', { name: 'Credit notes' }))
  await userEvent.selectOptions(page.getByLabelText('Country'), 'France')
  await expect.poll(address).toBe('/staff-invoices?q=anna&kind=credit_note&country=FR')
  for (const asked of ['/api/staff/invoices/', '/api/staff/invoices/totals/'])
    await expect
      .poll(async () => (await sent('GET', asked)).at(-1)?.path)
      .toBe(`${asked}?q=anna&kind=credit_note&country=FR`)
})

it('says why there are no sums, and lists all the same', async () => {
  await reply('GET /api/staff/invoices/totals/', {
    status: 400,
    body: { errors: [{ code: 'period_too_long', param: 'from' }] },
  })
  await open('?from=2020-01-01')
  await expect.element(page.getByText(/Choose a period of at most 24 months/)).toBeVisible()
  await expect.element(page.getByText('HD-2026-000001')).toBeVisible()
})

it('shows whose VAT id nobody has confirmed, and asks again', async () => {
  const customer = { id: '00000000-0000-4000-8000-000000000002', name: 'Anna Berger' }
  const open_id = { customer, country: 'AT', vat_id: 'ATU12345678', state: 'invalid', asked_since: null }
  await reply('GET /api/staff/vat-ids/', { status: 200, body: { items: [open_id], next_cursor: null } })
  await reply(`POST /api/staff/customers/${customer.id}/vat-check/`, {
    status: 202,
    body: { vat_id: open_id.vat_id },
  })
  await open()
  const row = page
    .getByRole('list', { name: 'Unconfirmed VAT IDs' })
    .getByRole('listitem')
    .filter({ hasText: 'Anna Berger' })
  await expect.element(row).toHaveTextContent('Anna BergerVAT charged, not validATU12345678 · ATCheck VAT ID')
  await reply('GET /api/staff/vat-ids/', { status: 200, body: { items: [], next_cursor: null } })
  await userEvent.click(row.getByRole('button', { name: 'Check VAT ID' }))
  await expect.poll(lastToast).toBe('The tax authority is being asked about ATU12345678.')
  await expect.element(page.getByText('Unconfirmed VAT IDs')).not.toBeInTheDocument()
})
