import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { routes as finance } from '#features/finance/web/feature.tsx'
import { setLocale } from '#foundation/web/i18n/locale.ts'
import { inAct } from '#tests/web/render.tsx'
import { euros, openAt, refused, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './feature.tsx'

const PATH = '/api/invoices/I1/'
const address = { street: 'Am Markt 1', zip: '20095', city: 'Hamburg', country: 'DE' }
const invoice = {
  id: 'I1',
  number: 'HD-2026-000017',
  kind: 'invoice',
  cancels: false,
  status: 'paid',
  issued_at: '2026-11-20T10:00:00.000Z',
  issued_on: '2026-11-20',
  due_at: '2026-11-20T10:00:00.000Z',
  net: euros('3000'),
  vat: euros('570'),
  total: euros('3570'),
  from: {
    ...address,
    name: 'Hostdesk GmbH',
    email: 'billing@hostdesk.example',
    phone: '+49 40 123',
    vat_id: 'DE123456789',
    tax_number: '22/123',
    register: 'HRB 1',
    iban: 'DE89',
    bic: '',
  },
  to: {
    ...address,
    name: 'Anna Brückner',
    company: 'Brückner GmbH',
    apartment: '',
    state: '',
    email: 'anna@example.com',
    vat_id: 'DE987654321',
  },
  lines: [
    {
      description: { code: 'licence_order', params: { host: 'brave-otter-42', plan: 'Standard' } },
      quantity: '3',
      cost: euros('1000'),
      price: euros('3000'),
      vat_rate: '25.5',
      period: {
        starts_at: '2026-11-20T10:00:00.000Z',
        ends_at: '2026-12-20T10:00:00.000Z',
        first_day: '2026-11-20',
        last_day: '2026-12-20',
      },
    },
  ],
  allowance: euros('0'),
  gift: euros('0'),
  vat_kind: 'standard',
  vat_rate: '25.5',
  buyer_reference: '04011000-1234512345-06',
  order_reference: 'PO-4711',
  formats: ['pdf', 'xrechnung'],
  document_versions: [{ version: 1, made_at: '2026-11-20T10:00:05.000Z' }],
  notes: [
    { code: 'reverse_charge', params: {} },
    { code: 'text', params: { text: 'Thank you <b>' } },
  ],
  credit_note_of: null,
  replaces: null,
  replaced_by: null,
  credit_notes: [],
  host_id: null,
}
const text = () => document.querySelector('article')?.textContent ?? ''
const open = async (part: object = {}) => {
  await reply(`GET ${PATH}`, { status: 200, body: { ...invoice, ...part } })
  await openAt('/invoices/I1', routes)
  await expect.element(page.getByRole('heading', { level: 1, name: /HD-/ })).toBeVisible()
}

beforeEach(startAnew)

it('F-02 shows from, to, id, due date, description, quantity, cost, price, vat, total and notes', async () => {
  await open()
  for (const part of [
    'Hostdesk GmbH',
    'VAT ID DE123456789',
    'Brückner GmbH',
    'Anna Brückner',
    'Germany',
    'HD-2026-000017',
    '20 Nov 2026',
    'Due date20 Nov 2026',
    'Standard licence for brave-otter-42',
    '20 Nov 2026 – 20 Dec 2026',
    '€10.00',
    '€30.00',
    'VAT 25.5%€5.70',
    'Total€35.70',
    'Reverse charge',
    'Thank you <b>',
    'HRB 1',
    'Paid from balance20 Nov 2026',
    'Your reference04011000-1234512345-06',
    'Order referencePO-4711',
  ])
    expect(text()).toContain(part)
  // A paid invoice shows no bank account: nothing is left to pay, and some customers would pay twice.
  expect(text()).not.toContain('IBAN')
  const cells = [...document.querySelectorAll('tbody td')].map((cell) => cell.textContent)
  expect(cells.slice(1)).toEqual(['3', '€10.00', '25.5%', '€30.00'])
  await inAct(() => setLocale('de'))
  for (const part of ['Rechnung', 'Deutschland', 'Steuerschuldnerschaft', '20.11.2026'])
    expect(text()).toContain(part)
})

// The walk over all pages saw the parts stand in the list of sums as neither a term nor a description.
it('opens an amount to its parts, as one more description of its sum', async () => {
  const rest = { lines: [], vat: [], total: [] }
  const net = [{ code: 'line', params: { place: '1' }, amount: euros('3000') }]
  await open({ explained: { ...rest, net } })
  await page.getByRole('button', { name: /^Net: €30\.00/ }).click()
  const part = page.getByRole('definition').getByText('Standard licence for brave-otter-42')
  await expect.element(part).toBeVisible()
  expect(
    document.querySelectorAll('dl > div > :not(dt, dd), dl > :not(div, dt, dd), dl > div:not(:has(> dt))'),
  ).toHaveLength(0)
})

it('B-15 shows the gift that lowers an invoice between the lines and the net, and says what it is', async () => {
  expect(text()).not.toContain('Discount by vouchers')
  await open({ net: euros('2800'), allowance: euros('200'), gift: euros('251') })
  expect(text()).toContain('Price, net€30.00Discount by vouchers and credit−€2.00Net€28.00')
  expect(text()).toContain('€2.51 of the price came from vouchers or credit that we gave, and is a discount.')
})

it('shows its number and a city once, and names the server it leads to', async () => {
  await open({ host_id: 'h1', to: { ...invoice.to, state: 'Hamburg' } })
  expect(text().split('HD-2026-000017')).toHaveLength(2)
  expect(text().split('Hamburg'), 'of the seller, and of the buyer').toHaveLength(3)
  await expect
    .element(page.getByRole('link', { name: 'brave-otter-42' }))
    .toHaveAttribute('href', '/servers/host/h1')
})

it('F-02 links a void invoice with its credit note, and a credit note with its invoice', async () => {
  await open({ status: 'void', credit_notes: [{ id: 'N1', number: 'HD-2026-000021', total: euros('3570') }] })
  await expect.element(page.getByText('Cancelled')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'HD-2026-000021' }))
    .toHaveAttribute('href', '/invoices/N1')
})

it('B-14 a cancelled invoice and the invoice that replaces it say so and link to each other', async () => {
  const other = { id: 'I2', number: 'HD-2026-000022' }
  await open({ status: 'void', replaced_by: other })
  await expect.element(page.getByText(/This invoice was cancelled and reissued/)).toBeVisible()
  const link = page.getByRole('link', { name: 'Invoice HD-2026-000022' })
  await expect.element(link).toHaveAttribute('href', '/invoices/I2')
  await reply('GET /api/invoices/I2/', {
    status: 200,
    body: { ...invoice, ...other, replaces: { id: 'I1', number: invoice.number } },
  })
  await userEvent.click(link)
  await expect.element(page.getByText(/replaces a cancelled one/)).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: `Invoice ${invoice.number}` }))
    .toHaveAttribute('href', '/invoices/I1')
})

it('F-02 names a credit note as one and leads to the invoice it corrects', async () => {
  await open({ kind: 'credit_note', credit_note_of: { id: 'I0', number: 'HD-2026-000003' } })
  await expect.element(page.getByRole('heading', { level: 1, name: /^Credit note/ })).toBeVisible()
  await expect.element(page.getByText('Refunded')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'HD-2026-000003' }))
    .toHaveAttribute('href', '/invoices/I0')
})

it('rule 6: writes sums no float could hold, within a phone’s width', async () => {
  await page.viewport(360, 800)
  await open({ total: euros('900719925474099393') })
  expect(text()).toContain('€9,007,199,254,740,993.93')
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  await page.viewport(1280, 800)
})

it("R-06 rule 4: shows in words that there is no such invoice, another customer's or unknown", async () => {
  await reply(`GET ${PATH}`, refused(404, 'not_found'))
  await openAt('/invoices/I1', routes)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Invoice not found' })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'All invoices' })).toBeVisible()
})

it('shows that it could not be loaded, and tries again', async () => {
  await reply(`GET ${PATH}`, { status: 400 }, { status: 200, body: invoice })
  await openAt('/invoices/I1', routes)
  await expect.element(page.getByText('We couldn’t load the invoice')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Try again' }))
  await expect.element(page.getByRole('heading', { level: 1, name: /HD-2026-000017/ })).toBeVisible()
})

it('F-02 shows what an XRechnung is missing in place of the button', async () => {
  await open({ formats: ['pdf'], to: { ...invoice.to, street: '' } })
  await expect.element(page.getByText(/needs your full address/)).toBeVisible()
  expect(page.getByRole('button', { name: 'E-invoice (XML)' }).elements()).toEqual([])
  await expect.element(page.getByRole('button', { name: 'PDF', exact: true })).toBeVisible()
})

it('F-02 keeps an earlier version of the documents at hand', async () => {
  const again = { version: 2, made_at: '2026-11-25T10:00:00.000Z' }
  await open({ document_versions: [...invoice.document_versions, again] })
  await expect.element(page.getByRole('button', { name: 'Earlier version from 20 Nov 2026' })).toBeVisible()
})

it('prints by the browser', async () => {
  const print = vi.spyOn(window, 'print').mockImplementation(() => undefined)
  await open()
  await userEvent.click(page.getByRole('button', { name: 'Print' }))
  expect(print).toHaveBeenCalledOnce()
  print.mockRestore()
})

it('leads back to the list of invoices', async () => {
  await reply('GET /api/invoices/', { status: 200, body: { items: [], next_cursor: null } })
  await reply(`GET ${PATH}`, { status: 200, body: invoice })
  const { address: shown } = await openAt('/invoices/I1', [...routes, ...finance])
  await userEvent.click(page.getByRole('link', { name: 'All invoices' }))
  await expect.poll(shown).toBe('/finances?view=invoices')
})
