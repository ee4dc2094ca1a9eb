import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { euros, lastToast, openAt, refused, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

const id = 'a1b2c3d4-0000-4000-8000-000000000001'
const card = {
  id,
  name: 'Anna Brückner',
  email: 'anna@example.com',
  language: 'de',
  is_staff: false,
  access: 'open',
  company: 'Brückner GmbH',
  city: 'Hamburg',
  country: 'DE',
  customer_since: '2026-01-02T03:04:05.000Z',
  balance: euros('1250'),
  hosts: { items: [], more: false },
  tickets: {
    items: [
      {
        id: 'ticket-1',
        number: 1007,
        subject: 'The address on my invoice',
        status: 'opened',
        last_message_at: '2026-11-02T03:04:05.000Z',
      },
    ],
    more: false,
  },
}
const withoutGift = (amount: string) => ({
  balance: euros(amount),
  gift: euros('0'),
  held: euros('0'),
  payable: euros(amount),
})
const row = {
  id,
  name: card.name,
  company: card.company,
  email: card.email,
  country: 'DE',
  state: 'unconfirmed',
  is_staff: false,
  balance: euros('-500'),
  hosts: 2,
  open_tickets: 1,
  created_at: '2026-01-02T03:04:05.000Z',
  last_login_at: null,
  matched: { kind: 'host', text: '203.0.113.7' },
}
const note = {
  id: 'b1b2c3d4-0000-4000-8000-000000000001',
  text: 'Calls at night',
  pinned: true,
  author: { id: '1', name: 'Olivia' },
  created_at: '2026-11-02T03:04:05.000Z',
  may_edit: true,
  version: 1,
}
const own = `/api/staff/customers/${id}/`
const button = (name: string) => page.getByRole('button', { name, exact: true })

beforeEach(async () => {
  await startAnew()
  await reply('GET /api/staff/customers/', { status: 200, body: { items: [row], next_cursor: null } })
  await reply(`GET ${own}`, { status: 200, body: card })
  await reply('GET /api/staff/me/', {
    status: 200,
    body: {
      roles: ['owner'],
      permissions: ['finance.credit', 'finance.refund', 'banking.read', 'banking.book'],
      two_factor: 'ok',
      allowances: [],
    },
  })
  await reply(`GET ${own}notes/`, { status: 200, body: { items: [note] } })
  await reply(`GET ${own}account/`, { status: 200, body: { merged_from: [] } })
})

it('the list says by what a customer was found, and keeps the search in the address', async () => {
  const { address } = await openAt('/staff-customers', routes)
  await userEvent.fill(page.getByRole('searchbox', { name: 'Search customers' }), '203.0.113.7')
  await expect.poll(address).toBe('/staff-customers?q=203.0.113.7')
  await expect.element(page.getByText('Server: 203.0.113.7')).toBeVisible()
  await expect.element(page.getByText('Not confirmed', { exact: true }).last()).toBeVisible()
  await userEvent.click(page.getByRole('link', { name: 'Anna Brückner' }))
  await expect.poll(address).toBe(`/staff-customers/${id}`)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Anna Brückner' })).toBeVisible()
  await expect.element(page.getByText('Calls at night')).toBeVisible()
})

it('says that nobody was found, and offers all customers', async () => {
  await reply('GET /api/staff/customers/', { status: 200, body: { items: [], next_cursor: null } })
  const { address } = await openAt('/staff-customers?q=nobody', routes)
  await expect.element(page.getByText('No customer found')).toBeVisible()
  await userEvent.click(button('Show all customers'))
  await expect.poll(address).toBe('/staff-customers')
})

// Before, nothing on the page of the account that stays said that another one was merged into it, and its notes were not seen.
it('names the accounts that were merged into this one, with the pinned notes about them', async () => {
  const merged = {
    id: 'a1b2c3d4-0000-4000-8000-000000000002',
    email: 'old@example.com',
    merged_at: '2026-11-02T03:04:05.000Z',
  }
  await reply(`GET ${own}account/`, { status: 200, body: { merged_from: [merged] } })
  const text = 'Wants letters only'
  await reply(`GET /api/staff/customers/${merged.id}/notes/`, {
    status: 200,
    body: {
      items: [
        { ...note, id: 'c', pinned: true, text },
        { ...note, id: 'd', pinned: false, text: 'Not pinned' },
      ],
    },
  })
  await openAt(`/staff-customers/${id}`, routes)
  const link = page.getByRole('link', { name: /^old@example.com was merged into this account on / })
  await expect.element(link).toHaveAttribute('href', `/staff-customers/${merged.id}`)
  await expect.element(page.getByText(text)).toBeVisible()
  await expect.element(page.getByText('Not pinned')).not.toBeInTheDocument()
})

it('a deleted customer has a page that says so', async () => {
  await reply(`GET ${own}`, refused(404, 'not_found'))
  await openAt(`/staff-customers/${id}`, routes)
  await expect.element(page.getByText('Customer not found')).toBeVisible()
})

it('gives credit once even when it is submitted again after a server error, and keeps the typed values after a refusal', async () => {
  const answer = {
    id: 't',
    type: 'fill_balance_voucher',
    amount: euros('2000'),
    balance_after: euros('3250'),
    created_at: '2026-11-02T03:04:05.000Z',
    description: { code: 'credit', params: { reason: 'Outage' } },
    invoice_id: null,
    host_id: null,
  }
  await reply(`GET ${own}transactions/`, {
    status: 200,
    body: { items: [], next_cursor: null, ...withoutGift('1250') },
  })
  await reply(
    `POST ${own}credits/`,
    refused(400, 'balance_cap', 'amount'),
    { status: 500 },
    { status: 201, body: answer },
  )
  await openAt(`/staff-customers/${id}?tab=money`, routes)
  await userEvent.click(button('Add credit'))
  const dialog = page.getByRole('dialog', { name: 'Add credit for Anna Brückner' })
  const give = dialog.getByRole('button', { name: 'Add credit' })
  await userEvent.fill(dialog.getByLabelText('Amount in EUR'), 'nothing')
  await userEvent.fill(dialog.getByLabelText('Reason'), 'Outage')
  await userEvent.click(give)
  expect(await sent('POST', `${own}credits/`)).toEqual([])
  await userEvent.fill(dialog.getByLabelText('Amount in EUR'), '20,00')
  await userEvent.click(give)
  await expect.poll(async () => (await sent('POST', `${own}credits/`)).length).toBe(1)
  await expect.element(dialog.getByLabelText('Amount in EUR')).toHaveAttribute('aria-invalid', 'true')
  await userEvent.click(give)
  await expect.poll(async () => (await sent('POST', `${own}credits/`)).length).toBe(2)
  await expect.element(dialog.getByLabelText('Reason')).toHaveValue('Outage')
  await userEvent.click(give)
  await expect.poll(lastToast).toBe('€20.00 has been added')
  const [, unsure, again] = await sent('POST', `${own}credits/`)
  expect(again?.body).toBe(JSON.stringify({ amount: euros('2000'), reason: 'Outage' }))
  // The second request had no definite answer, so the third is the same intention and has the same key.
  expect(again?.headers['idempotency-key']).toBe(unsure?.headers['idempotency-key'])
})

it('rule 45: a note that a colleague changed meanwhile is shown beside what was typed', async () => {
  const theirs = { ...note, text: 'Calls on Mondays', version: 2 }
  await reply(`PATCH ${own}notes/${note.id}/`, {
    status: 409,
    body: { status: 409, errors: [{ code: 'changed', message: '' }], present: theirs },
  })
  await openAt(`/staff-customers/${id}?tab=notes`, routes)
  await userEvent.click(button('Edit'))
  const form = page.getByRole('form', { name: 'Edit' })
  await userEvent.fill(form.getByLabelText('Note'), 'Calls in the morning')
  await userEvent.click(form.getByRole('button', { name: 'Save' }))
  await expect.element(page.getByText('Calls on Mondays')).toBeVisible()
  await expect.element(form.getByRole('textbox')).toHaveValue('Calls in the morning')
})

it('a new note is kept in the field until it is saved', async () => {
  await reply(`POST ${own}notes/`, { status: 500 }, { status: 201, body: { ...note, text: 'New' } })
  await openAt(`/staff-customers/${id}?tab=notes`, routes)
  const field = page.getByRole('form', { name: 'New note' }).getByLabelText('Note')
  await userEvent.fill(field, 'New')
  await userEvent.click(button('Add note'))
  await expect.poll(async () => (await sent('POST', `${own}notes/`)).length).toBe(1)
  await expect.element(field).toHaveValue('New')
  await userEvent.click(button('Add note'))
  await expect.element(field).toHaveValue('')
})

it('confirms a transfer with the amount that came, and keeps what was typed where it is refused', async () => {
  const transfer = {
    id: 'top-up',
    status: 'pending',
    provider: 'bank',
    amount: euros('5000'),
    created_at: '2026-11-02T03:04:05.000Z',
    redirect_url: null,
    bank: { reference: 'HD-KXQM-4711', account: '', iban: null, epc: null },
    customer: { id, name: card.name, email: card.email },
  }
  await reply('GET /api/staff/top-ups/', { status: 200, body: { items: [transfer], next_cursor: null } })
  const confirm = `${own}top-ups/top-up/confirm/`
  const booked = {
    id: 't',
    type: 'fill_balance',
    amount: euros('4900'),
    balance_after: euros('6150'),
    created_at: '2026-11-02T03:04:05.000Z',
    description: { code: 'top_up', params: { provider: 'bank' } },
    invoice_id: null,
    host_id: null,
  }
  await reply(`POST ${confirm}`, refused(409, 'top_up_not_pending'), { status: 201, body: booked })
  const { address } = await openAt('/staff-transfers', routes)
  await userEvent.click(page.getByRole('button', { name: 'Confirm transfer HD-KXQM-4711' }))
  const dialog = page.getByRole('dialog', { name: 'Has €50.00 arrived?' })
  await userEvent.fill(dialog.getByLabelText('Amount in EUR'), '49')
  await userEvent.fill(dialog.getByLabelText('Reason'), 'Statement of Monday')
  await userEvent.click(dialog.getByRole('button', { name: 'Confirm' }))
  await expect.element(dialog.getByText('This top-up isn’t waiting for a transfer')).toBeVisible()
  await expect.element(dialog.getByLabelText('Amount in EUR')).toHaveValue('49')
  await userEvent.click(dialog.getByRole('button', { name: 'Confirm' }))
  await expect.poll(lastToast).toBe('€49.00 has been added to the balance')
  expect((await sent('POST', confirm)).at(-1)?.body).toBe(
    JSON.stringify({ amount: euros('4900'), reason: 'Statement of Monday' }),
  )
  await userEvent.fill(page.getByLabelText('Find a transfer by reference'), 'hd kxqm 4711')
  await expect.poll(address).toBe('/staff-transfers?reference=hd+kxqm+4711')
})

it('rule 61: pays out the balance with the reference of the transfer, and undoes it where it was a mistake', async () => {
  await reply('GET /api/staff/me/', {
    status: 200,
    body: {
      roles: ['billing'],
      permissions: ['finance.refund', 'finance.charge_back'],
      two_factor: 'ok',
      allowances: [],
    },
  })
  const paid = {
    id: 't',
    type: 'charge_back',
    amount: euros('-1250'),
    balance_after: euros('0'),
    created_at: '2026-11-02T03:04:05.000Z',
    description: { code: 'pay_out', params: { reference: 'RF 4711', reason: 'By letter' } },
    invoice_id: null,
    host_id: null,
  }
  const listed = (items: object[], payable: string, balance: string) => ({
    status: 200,
    body: {
      items,
      next_cursor: null,
      balance: euros(balance),
      gift: euros('300'),
      held: euros('1700'),
      payable: euros(payable),
    },
  })
  await reply(`GET ${own}transactions/`, listed([], '1250', '1550'), listed([paid], '0', '300'))
  await reply(`POST ${own}pay-outs/`, refused(409, 'nothing_to_pay_out'), { status: 201, body: paid })
  await reply(`POST ${own}transactions/t/correction/`, { status: 201, body: paid })
  await openAt(`/staff-customers/${id}?tab=money`, routes)
  await expect
    .element(page.getByText(/^€3.00 of it from vouchers and credit: .* never paid out$/))
    .toBeVisible()
  await userEvent.click(button('Record a payout'))
  const dialog = page.getByRole('dialog', { name: 'Record a payout to Anna Brückner' })
  await expect.element(dialog.getByText('€12.50 of the balance of €15.50 can be paid out.')).toBeVisible()
  await expect.element(dialog.getByText(/^€3.00 of it from vouchers and credit/)).toBeVisible()
  await expect
    .element(dialog.getByText(/^€17.00 is held back from payouts: a payment was taken back/))
    .toBeVisible()
  await expect.element(dialog.getByLabelText('Amount in EUR')).toHaveValue('12.50')
  await userEvent.fill(dialog.getByLabelText('Reference of the transfer'), 'RF 4711')
  await userEvent.fill(dialog.getByLabelText('Reason'), 'By letter')
  await userEvent.click(dialog.getByRole('button', { name: 'Record a payout' }))
  await expect.element(dialog.getByText(/more than the customer paid/)).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Record a payout' }))
  await expect.poll(lastToast).toBe('The payout has been recorded')
  expect(JSON.parse((await sent('POST', `${own}pay-outs/`)).at(-1)?.body ?? '')).toEqual({
    amount: euros('1250'),
    reason: 'By letter',
    reference: 'RF 4711',
  })
  await expect.element(page.getByText('Paid out to you (RF 4711): By letter')).toBeVisible()
  // A gift alone is left, of which nothing can be paid out.
  expect(button('Record a payout').elements()).toHaveLength(0)
  await userEvent.click(button('Undo'))
  const undo = page.getByRole('dialog', { name: 'Undo the booking of €12.50?' })
  await userEvent.fill(undo.getByLabelText('Reason'), 'It came back')
  await userEvent.click(undo.getByRole('button', { name: 'Undo' }))
  await expect.poll(lastToast).toBe('The booking of €12.50 has been undone')
})

it('lists what could not be booked above the announced transfers, until a person marks it as done with a note', async () => {
  const event = {
    id: 'c1b2c3d4-0000-4000-8000-000000000001',
    provider: 'stripe',
    event_id: 'evt_1',
    kind: 'charged_back',
    cause: 'other_currency',
    amount: { amount: '1234', currency: 'USD' },
    payment_reference: 'pi_1',
    reason: '',
    top_up: 'top-up',
    reference: null,
    customer: { id, name: card.name },
    created_at: '2026-11-02T03:04:05.000Z',
    done: null,
  }
  const path = '/api/staff/unbooked-events/'
  const listed = (items: object[]) => ({ status: 200, body: { items, next_cursor: null } })
  await reply('GET /api/staff/top-ups/', listed([]))
  await reply(`GET ${path}`, listed([event]), listed([]))
  const done = { at: event.created_at, by: null, note: 'Paid back' }
  await reply(`POST ${path}${event.id}/settlement/`, { status: 200, body: { ...event, done } })
  await openAt('/staff-transfers', routes)
  const list = page.getByRole('list', { name: 'Payments that couldn’t be booked' })
  await expect.element(list.getByText(/12\.34/)).toBeVisible()
  await expect.element(list.getByText(/Money taken back in another currency · stripe/)).toBeVisible()
  await userEvent.click(list.getByRole('button', { name: 'Mark as done' }))
  const dialog = page.getByRole('dialog', { name: 'What has been done about it?' })
  await userEvent.fill(dialog.getByLabelText('Note'), 'Paid back')
  await userEvent.click(dialog.getByRole('button', { name: 'Mark as done' }))
  await expect.poll(lastToast).toBe('Marked as done')
  await expect.element(list).not.toBeInTheDocument()
})

it('says before an amount above the allowance is sent that a colleague must approve it, and afterwards that it waits', async () => {
  const permissions = ['finance.credit']
  const allowances = [
    { act: 'finance.credit', single: euros('10000'), left_today: euros('5000'), above: 'waits' },
  ]
  await reply('GET /api/staff/me/', {
    status: 200,
    body: { roles: ['billing'], permissions, two_factor: 'ok', allowances },
  })
  await reply(`GET ${own}transactions/`, {
    status: 200,
    body: { items: [], next_cursor: null, ...withoutGift('1250') },
  })
  const approval = { id: 'a', act: 'finance.credit', why: 'day', amount: euros('5001'), expires_at: '' }
  await reply(`POST ${own}credits/`, { status: 202, body: { approval } })
  await openAt(`/staff-customers/${id}?tab=money`, routes)
  await userEvent.click(button('Add credit'))
  const dialog = page.getByRole('dialog', { name: 'Add credit for Anna Brückner' })
  await userEvent.fill(dialog.getByLabelText('Amount in EUR'), '50')
  expect(dialog.getByText(/above your allowance/).elements()).toHaveLength(0)
  await userEvent.fill(dialog.getByLabelText('Amount in EUR'), '50.01')
  await expect.element(dialog.getByText(/above your allowance \(€50.00\)/)).toBeVisible()
  await userEvent.fill(dialog.getByLabelText('Reason'), 'Outage')
  await userEvent.click(dialog.getByRole('button', { name: 'Add credit' }))
  await expect.poll(lastToast).toBe('€50.01: waiting for a colleague’s approval')
})
