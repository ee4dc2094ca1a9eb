import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { euros, lastToast, openAt, refused, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

const id = 'a'.repeat(22)
const path = `/api/staff/invoices/${id}/`
const party = { street: 'Am Markt 1', zip: '20095', city: 'Hamburg', country: 'DE', vat_id: '' }
const printed = {
  ...party,
  name: 'Anna Brückner',
  company: '',
  apartment: '',
  state: '',
  email: 'a@b.example',
}
const profile = { ...printed, street: 'Neuer Wall 2', company: 'Brückner GmbH' }
const summary = {
  id,
  number: 'HD-2026-000017',
  kind: 'invoice',
  cancels: false,
  status: 'paid',
  issued_at: '2026-11-20T10:00:00.000Z',
  issued_on: '2026-11-20',
  due_at: '2026-11-20T10:00:00.000Z',
  net: euros('10000'),
  vat: euros('1900'),
  total: euros('11900'),
}
const invoice = {
  ...summary,
  from: { ...party, name: 'Hostdesk', email: '', phone: '', tax_number: '', register: '', iban: '', bic: '' },
  to: printed,
  lines: [],
  allowance: euros('0'),
  gift: euros('0'),
  vat_kind: 'standard',
  vat_rate: '19',
  buyer_reference: '',
  order_reference: '',
  notes: [],
  formats: ['pdf'],
  document_versions: [],
  credit_note_of: null,
  replaces: null,
  replaced_by: null,
  credit_notes: [],
  host_id: null,
}
const customer = { id: '00000000-0000-4000-8000-000000000002', name: 'Anna Brückner' }
const found = (more: object = {}) => ({
  status: 200,
  body: { invoice: { ...invoice, ...more }, customer, chain: [] },
})
const before = {
  vat_kind: 'standard',
  country: 'DE',
  vat_rate: '19',
  net: euros('10000'),
  vat: euros('1900'),
  total: euros('11900'),
}
const kept = { profile, before, after: before, difference: euros('0'), refusal: null }
const freed = {
  ...kept,
  after: {
    ...before,
    vat_kind: 'reverse_charge',
    country: 'AT',
    vat_rate: '0',
    vat: euros('0'),
    total: euros('10000'),
  },
  difference: euros('1900'),
}
const previewed = (body: object) => ({ status: 200, body })

beforeEach(async () => {
  await startAnew()
  await reply('GET /api/countries/list/', {
    status: 200,
    body: ['AT', 'DE'].map((code) => ({ code, name: code })),
  })
  await reply('GET /api/staff/me/', {
    status: 200,
    body: { roles: ['billing'], permissions: ['invoices.read', 'invoices.reissue'], two_factor: 'ok' },
  })
  await reply(`GET ${path}`, found())
  await reply(`GET ${path}reissue/`, previewed(kept))
})

async function open() {
  const app = await openAt(`/staff-invoices/${id}`, routes)
  await userEvent.click(page.getByRole('button', { name: 'Reissue' }))
  const dialog = page.getByRole('dialog', { name: 'Reissue HD-2026-000017' })
  await expect.element(dialog).toBeVisible()
  return { ...app, dialog }
}

it('B-14 draws before, after and the difference, sends what was seen once, and opens the new invoice', async () => {
  await reply(`POST ${path}reissue/`, {
    status: 201,
    body: {
      credit_note: { ...summary, id: 'b'.repeat(22), number: 'HD-2026-000018', kind: 'credit_note' },
      invoice: { ...summary, id: 'c'.repeat(22), number: 'HD-2026-000019' },
    },
  })
  const { dialog, address } = await open()
  await expect.element(dialog.getByText(/Brückner GmbH, Anna Brückner, Neuer Wall 2/)).toBeVisible()
  await expect.element(dialog.getByText('The total stays the same; no money moves.')).toBeVisible()
  await reply(`GET ${path}reissue/`, { ...previewed(freed), hold_ms: 2_000 })
  await userEvent.fill(dialog.getByLabelText('Reason'), 'VAT ID confirmed')
  await userEvent.selectOptions(dialog.getByLabelText('VAT', { exact: true }), 'decide')
  // Enter does nothing until the amounts of the new choice are drawn.
  await userEvent.type(dialog.getByLabelText('Reason'), '{Enter}')
  expect(await sent('POST', `${path}reissue/`)).toEqual([])
  await expect.element(dialog.getByText('€19.00 goes back to the customer’s balance.')).toBeVisible()
  await expect
    .element(dialog.getByRole('row').filter({ hasText: 'Total' }))
    .toHaveTextContent('Total€119.00€100.00')
  await userEvent.type(dialog.getByLabelText('Reason'), '{Enter}')
  await expect
    .poll(lastToast)
    .toBe('HD-2026-000017 was cancelled by HD-2026-000018 and reissued as HD-2026-000019')
  const calls = await sent('POST', `${path}reissue/`)
  expect(calls.map(({ body }) => JSON.parse(body ?? ''))).toEqual([
    { buyer: 'profile', vat: 'decide', reason: 'VAT ID confirmed', expected_total: euros('10000') },
  ])
  await expect.poll(address).toBe(`/staff-invoices/${'c'.repeat(22)}`)
})

it('B-14 keeps a typed buyer after a failed request and a refusal, and asks for the VAT of that buyer', async () => {
  await reply(
    `POST ${path}reissue/`,
    { status: 503 },
    refused(400, 'required', 'buyer.street'),
    refused(409, 'total_changed'),
  )
  const { dialog } = await open()
  await userEvent.selectOptions(dialog.getByLabelText('Buyer'), 'typed')
  await userEvent.fill(dialog.getByLabelText('Company'), 'Berg KG')
  await userEvent.fill(dialog.getByLabelText('Street and number'), '')
  await userEvent.fill(dialog.getByLabelText('Reason'), 'Another company')
  const send = dialog.getByRole('button', { name: 'Reissue' })
  const calls = async () => (await sent('POST', `${path}reissue/`)).length
  await userEvent.click(send)
  await expect.poll(calls).toBe(1)
  await expect.element(dialog.getByRole('alert')).toBeVisible()
  await userEvent.click(send)
  await expect.element(dialog.getByText('Field is required')).toBeVisible()
  await expect.element(dialog.getByLabelText('Street and number')).toHaveFocus()
  await userEvent.fill(dialog.getByLabelText('Street and number'), 'Ringstr. 2')
  await userEvent.selectOptions(dialog.getByLabelText('VAT', { exact: true }), 'decide')
  await userEvent.selectOptions(dialog.getByLabelText('Country'), 'AT')
  await userEvent.fill(dialog.getByLabelText('VAT ID'), 'atu 1234.5678')
  await expect
    .poll(async () => (await requestsOfPreview()).at(-1))
    .toBe('vat=decide&country=AT&zip=20095&city=Hamburg&vat_id=ATU12345678')
  await userEvent.click(send)
  await expect.element(dialog.getByText(/The amounts have changed since they were shown/)).toBeVisible()
  await expect.element(dialog.getByLabelText('Company')).toHaveValue('Berg KG')
  await expect.element(dialog.getByLabelText('Reason')).toHaveValue('Another company')
  const last = JSON.parse((await sent('POST', `${path}reissue/`)).at(-1)?.body ?? '')
  expect(last).toMatchObject({ buyer: { company: 'Berg KG', street: 'Ringstr. 2', country: 'AT' } })
  // A change to the profile and back to the typed buyer loses nothing that was typed.
  await userEvent.selectOptions(dialog.getByLabelText('Buyer'), 'profile')
  await userEvent.selectOptions(dialog.getByLabelText('Buyer'), 'typed')
  await expect.element(dialog.getByLabelText('Street and number')).toHaveValue('Ringstr. 2')
})

const requestsOfPreview = async () =>
  (await sent('GET', `${path}reissue/`)).map((request) =>
    decodeURIComponent(request.path.split('?')[1] ?? ''),
  )

it('B-14 says what another tab has done, with the reason kept, and sends no more', async () => {
  await reply(`POST ${path}reissue/`, refused(409, 'nothing_left'))
  const { dialog } = await open()
  await userEvent.fill(dialog.getByLabelText('Reason'), 'Wrong address')
  const replaced_by = { id: 'c'.repeat(22), number: 'HD-2026-000019' }
  await reply(`GET ${path}`, found({ status: 'void', replaced_by }))
  await reply(`GET ${path}reissue/`, previewed({ ...kept, after: null, refusal: 'nothing_left' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Reissue' }))
  await expect.element(dialog.getByText(/has been replaced by HD-2026-000019/)).toBeVisible()
  await expect
    .element(dialog.getByRole('link', { name: 'Show HD-2026-000019' }))
    .toHaveAttribute('href', `/staff-invoices/${replaced_by.id}`)
  await expect.element(dialog.getByLabelText('Reason')).toHaveValue('Wrong address')
  await expect.element(dialog.getByRole('button', { name: 'Reissue' })).toBeDisabled()
})

it('B-14 a higher total is refused in words before anything is sent, within a phone’s width', async () => {
  await page.viewport(360, 800)
  await reply(`GET ${path}reissue/`, previewed({ ...kept, refusal: 'total_would_rise' }))
  const { dialog } = await open()
  await expect.element(dialog.getByText(/higher than what the customer has paid/)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Reissue' })).toBeDisabled()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  await page.viewport(1280, 800)
})

it('B-14 a void invoice names the one that replaced it, and is not issued again', async () => {
  await reply(
    `GET ${path}`,
    found({ status: 'void', replaced_by: { id: 'c'.repeat(22), number: 'HD-2026-000019' } }),
  )
  await openAt(`/staff-invoices/${id}`, routes)
  await expect
    .element(page.getByRole('link', { name: 'HD-2026-000019' }))
    .toHaveAttribute('href', `/staff-invoices/${'c'.repeat(22)}`)
  await expect.element(page.getByText('Replaced by')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Reissue' })).not.toBeInTheDocument()
})
