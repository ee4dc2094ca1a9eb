import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { euros, lastToast, openAt, refused, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes as ofCustomers } from './feature.tsx'
import { routes } from './staff-feature.tsx'

const id = 'a1b2c3d4-0000-4000-8000-000000000001'
const own = `/api/staff/customers/${id}/`
const card = {
  id,
  name: 'Anna Brückner',
  email: 'anna@example.com',
  language: 'de',
  is_staff: false,
  access: 'open',
  company: '',
  city: '',
  country: '',
  customer_since: '2026-01-02T03:04:05.000Z',
  balance: euros('1250'),
  hosts: { items: [], more: false },
  tickets: { items: [], more: false },
}
const account = {
  state: 'active',
  block: null,
  factor_reset: null,
  merged_into: null,
  merged_from: [],
  terms: {
    current: { version: '2', url: 'https://nordic.example/terms' },
    accepted: { version: '1', at: '2026-03-01T08:00:00Z' },
  },
  created_at: '2026-01-02T03:04:05.000Z',
  last_login_at: null,
  addresses: [{ id: 7, email: card.email, primary: true, proven: false }],
  two_factor: ['totp'],
  sessions: [
    {
      id: 1,
      ip: '192.0.2.1',
      user_agent: 'Firefox',
      created_at: card.customer_since,
      last_seen_at: card.customer_since,
    },
  ],
}
const block = {
  level: 'locked',
  cause: 'stolen',
  reason: 'Called from their old number',
  message: 'Please call us.',
  by: 'Olivia',
  at: '2026-11-02T03:04:05.000Z',
}
const button = (name: string) => page.getByRole('button', { name, exact: true })
/** Returns, for each PUT to this path, the value that the sender had seen before. */
const fromsOf = async (path: string) =>
  (await sent('PUT', path)).map(({ body }) => (JSON.parse(body) as { from: string }).from)

beforeEach(async () => {
  await startAnew()
  await reply(`GET ${own}`, { status: 200, body: card })
  await reply(`GET ${own}account/`, { status: 200, body: account })
  await reply(`GET ${own}notes/`, { status: 200, body: { items: [] } })
  await reply('GET /api/staff/me/', {
    status: 200,
    body: {
      roles: ['admin'],
      permissions: [
        'customers.block',
        'customers.sign_out',
        'customers.reset_factor',
        'customers.confirm_address',
        'customers.export',
        'customers.erase',
        'customers.merge',
        'invoices.read',
        'vat.override',
      ],
      two_factor: 'ok',
    },
  })
})

it('locks an account with cause, reason and message, and keeps what was typed where it fails', async () => {
  await reply(`PUT ${own}block/`, { status: 503 }, { status: 200, body: { block } })
  await openAt(`/staff-customers/${id}`, routes)
  await userEvent.click(button('Block or lock'))
  const dialog = page.getByRole('dialog', { name: 'Block or lock Anna Brückner' })
  await userEvent.selectOptions(dialog.getByLabelText('Access'), 'locked')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  expect(await sent('PUT', `${own}block/`)).toEqual([])
  await userEvent.selectOptions(dialog.getByLabelText('Cause'), 'stolen')
  await userEvent.fill(dialog.getByLabelText('Reason, for staff'), block.reason)
  await userEvent.fill(dialog.getByLabelText('Message to the customer'), block.message)
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await expect.poll(async () => (await sent('PUT', `${own}block/`)).length).toBe(1)
  await expect.element(dialog.getByLabelText('Message to the customer')).toHaveValue(block.message)
  await reply(`GET ${own}`, { status: 200, body: { ...card, access: 'locked' } })
  await reply(`GET ${own}account/`, { status: 200, body: { ...account, state: 'locked', block } })
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await expect.poll(lastToast).toBe('Anna Brückner: Locked')
  await expect.element(page.getByText('Stolen account: Called from their old number')).toBeVisible()
  expect((await sent('PUT', `${own}block/`)).at(-1)?.body).toBe(
    JSON.stringify({
      level: 'locked',
      from: 'none',
      reason: block.reason,
      cause: 'stolen',
      message: block.message,
    }),
  )
  await userEvent.click(button('Change block'))
  const again = page.getByRole('dialog', { name: 'Block or lock Anna Brückner' })
  await expect.element(again.getByText(/takes its password away/)).toBeVisible()
})

it('rule 45: says that a colleague has locked the account meanwhile, and then changes what is seen by now', async () => {
  const errors = [{ code: 'changed', message: '' }]
  await reply(
    `PUT ${own}block/`,
    { status: 409, body: { status: 409, errors, present: { block } } },
    { status: 200, body: { block } },
  )
  await openAt(`/staff-customers/${id}`, routes)
  await userEvent.click(button('Block or lock'))
  const dialog = page.getByRole('dialog', { name: 'Block or lock Anna Brückner' })
  await userEvent.selectOptions(dialog.getByLabelText('Cause'), 'fraud')
  await userEvent.fill(dialog.getByLabelText('Reason, for staff'), 'Card of another')
  await userEvent.fill(dialog.getByLabelText('Message to the customer'), 'Please write.')
  await reply(`GET ${own}`, { status: 200, body: { ...card, access: 'locked' } })
  await reply(`GET ${own}account/`, { status: 200, body: { ...account, state: 'locked', block } })
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await expect.element(dialog.getByText(/changed somewhere else in the meantime/)).toBeVisible()
  await expect.element(page.getByText('Stolen account: Called from their old number')).toBeInTheDocument()
  await expect.element(dialog.getByLabelText('Message to the customer')).toHaveValue('Please write.')
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }))
  await expect.poll(async () => (await fromsOf(`${own}block/`)).length).toBe(2)
  expect(await fromsOf(`${own}block/`)).toEqual(['none', 'locked'])
})

it('rule 45: says that a colleague has decided about the VAT meanwhile, and then changes what is seen by now', async () => {
  const status = {
    vat_id: 'ATU12345678',
    state: 'invalid',
    asked_since: null,
    checked_at: null,
    checks: [],
    place: { state: 'agreed', place: 'AT' },
  }
  const decided = {
    treatment: 'consumer',
    vat_id: '',
    reason: 'Sells to consumers',
    by_name: 'Olivia',
    at: '2026-11-02T03:04:05.000Z',
    valid_until: null,
    in_force: true,
  }
  const shows = async (override: typeof decided | null) =>
    reply(`GET ${own}vat-status/`, { status: 200, body: { ...status, override } })
  await shows(null)
  const errors = [{ code: 'changed', message: '' }]
  await reply(
    `PUT ${own}vat-status/`,
    { status: 409, body: { status: 409, errors, present: { treatment: 'consumer' } } },
    { status: 200, body: { treatment: 'business' } },
  )
  await openAt(`/staff-customers/${id}`, routes)
  await userEvent.click(button('Change VAT treatment'))
  const dialog = page.getByRole('dialog', { name: 'VAT of Anna Brückner' })
  await userEvent.fill(dialog.getByLabelText('Reason, for staff'), 'Register extract seen')
  await shows(decided)
  await userEvent.click(dialog.getByRole('button', { name: 'Change VAT treatment' }))
  await expect.element(dialog.getByText(/changed somewhere else in the meantime/)).toBeVisible()
  await expect.element(page.getByText(/Sells to consumers/)).toBeInTheDocument()
  await expect.element(dialog.getByLabelText('Reason, for staff')).toHaveValue('Register extract seen')
  await expect.element(dialog.getByLabelText('Treatment')).toHaveValue('business')
  await userEvent.click(dialog.getByRole('button', { name: 'Change VAT treatment' }))
  await expect.poll(async () => (await fromsOf(`${own}vat-status/`)).length).toBe(2)
  expect(await fromsOf(`${own}vat-status/`)).toEqual(['automatic', 'consumer'])
})

it('requests the reset of a lost second factor, shows the reset as pending, and calls it off', async () => {
  const due_at = '2026-11-05T03:04:05.000Z'
  const asked = { reason: 'Lost the phone', by: 'Olivia', requested_at: card.customer_since, due_at }
  const factor_reset = { ...asked, new_email: null, merge_into: null }
  await reply(`POST ${own}factor-reset/`, { status: 201, body: factor_reset })
  await reply(`DELETE ${own}factor-reset/`, { status: 204 })
  await openAt(`/staff-customers/${id}?tab=security`, routes)
  await expect.element(page.getByText(/^Version 1, accepted on .*; not the current version 2$/)).toBeVisible()
  await userEvent.click(button('Reset second factor'))
  const dialog = page.getByRole('dialog', { name: 'Reset the second factor of Anna Brückner' })
  await userEvent.fill(dialog.getByLabelText('Reason, for staff'), 'Lost the phone')
  await reply(`GET ${own}account/`, { status: 200, body: { ...account, factor_reset } })
  await userEvent.click(dialog.getByRole('button', { name: 'Reset second factor' }))
  await expect.element(page.getByText(/will be reset on .* requested by Olivia/)).toBeVisible()
  await userEvent.click(button('Cancel the reset'))
  const off = page.getByRole('dialog', { name: 'Cancel the reset for Anna Brückner' })
  await userEvent.fill(off.getByLabelText('Reason, for staff'), 'Found it')
  await userEvent.click(off.getByRole('button', { name: 'Cancel the reset' }))
  await expect.poll(lastToast).toBe('The reset has been cancelled')
  expect((await sent('DELETE', `${own}factor-reset/`))[0]?.body).toBe('{"reason":"Found it"}')
})

it('signs out everywhere, and confirms the only address', async () => {
  await reply(`POST ${own}sign-out/`, { status: 200, body: { ended: 1 } })
  const confirm = `${own}addresses/7/confirmation/`
  await reply(`POST ${confirm}`, refused(409, 'proven_elsewhere'), { status: 200, body: { proven: true } })
  await openAt(`/staff-customers/${id}?tab=security`, routes)
  await userEvent.click(button('Sign out everywhere'))
  const dialog = page.getByRole('dialog', { name: 'Sign out Anna Brückner everywhere' })
  await userEvent.fill(dialog.getByLabelText('Reason, for staff'), 'Lost laptop')
  await userEvent.click(dialog.getByRole('button', { name: 'Sign out everywhere' }))
  await expect.poll(lastToast).toBe('1 device has been signed out')
  await userEvent.click(button('Confirm anna@example.com'))
  const ask = page.getByRole('dialog', { name: 'Confirm anna@example.com for Anna Brückner' })
  await userEvent.fill(ask.getByLabelText('Reason, for staff'), 'Their filter eats our mails')
  await userEvent.click(ask.getByRole('button', { name: 'Confirm' }))
  await expect.element(ask.getByText('Another account has confirmed this address.')).toBeVisible()
  await userEvent.click(ask.getByRole('button', { name: 'Confirm' }))
  await expect.poll(lastToast).toBe('anna@example.com is confirmed')
})

it('the link of a mail stops a reset by a button, not by being opened', async () => {
  const path = '/api/factor-reset/veto/'
  await reply(`POST ${path}`, refused(400, 'invalid_or_expired_key', 'key'), { status: 204 })
  await openAt('/factor-reset?key=some-key', ofCustomers)
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('Stop the reset of your second factor')
  expect(await sent('POST', path)).toEqual([])
  await userEvent.click(button('Stop the reset'))
  await expect.element(page.getByRole('alert')).toBeVisible()
  await userEvent.click(button('Stop the reset'))
  await expect
    .element(page.getByRole('heading', { level: 1 }))
    .toHaveTextContent('The reset has been stopped')
  expect((await sent('POST', path))[0]?.body).toBe('{"key":"some-key"}')
})

it('sends a copy of the data to the address it names, and asks for the address before a deletion', async () => {
  const mailed = { email: card.email, expires_at: '2026-11-09T03:04:05.000Z' }
  await reply(`POST ${own}export/`, { status: 202, body: mailed })
  await reply(
    `POST ${own}erasure/`,
    {
      status: 409,
      body: { errors: [{ code: 'customer_balance_left', message: '' }], balance: euros('500') },
    },
    { status: 202, body: { approval: {} } },
  )
  await openAt(`/staff-customers/${id}?tab=security`, routes)
  await userEvent.click(button('Send a copy'))
  const copy = page.getByRole('dialog', { name: 'Send Anna Brückner a copy of their data' })
  await expect.element(copy.getByText(/anna@example.com gets a link/)).toBeVisible()
  await userEvent.fill(copy.getByLabelText('Reason, for staff'), 'Asked by phone')
  await userEvent.click(copy.getByRole('button', { name: 'Send a copy' }))
  await expect.poll(lastToast).toBe('The link is on its way to anna@example.com')
  await userEvent.click(button('Delete account'))
  const dialog = page.getByRole('dialog', { name: 'Delete the account of Anna Brückner' })
  await userEvent.fill(dialog.getByLabelText('Customer’s email address'), card.email)
  await userEvent.fill(dialog.getByLabelText('Reason, for staff'), 'Asked by letter')
  await userEvent.click(dialog.getByRole('button', { name: 'Delete account' }))
  await expect.poll(async () => (await sent('POST', `${own}erasure/`)).length).toBe(1)
  await expect.element(dialog.getByLabelText('Customer’s email address')).toHaveValue(card.email)
  await expect.element(dialog.getByText(/Pay it out first, or enter the amount/)).toBeVisible()
  await userEvent.fill(dialog.getByLabelText('Amount the customer gives up'), '12,50 €')
  await userEvent.click(dialog.getByRole('button', { name: 'Delete account' }))
  await expect.poll(lastToast).toBe('Waiting for a colleague’s approval')
})

it('merges the account into another one, which a second person confirms, and undoes that, with what stays', async () => {
  const waiting = { id: 'a', act: 'customers.merge', why: 'always', amount: null, expires_at: block.at }
  await reply(`POST ${own}merge/`, refused(400, 'merge_no_account', 'email'), {
    status: 202,
    body: { approval: waiting },
  })
  await openAt(`/staff-customers/${id}?tab=security`, routes)
  await userEvent.click(button('Merge into another account'))
  const dialog = page.getByRole('dialog', { name: 'Merge the account of Anna Brückner into another one' })
  await userEvent.fill(dialog.getByLabelText('Email address of the account that stays'), 'anna@work.example')
  await userEvent.fill(dialog.getByLabelText('How you verified the person’s identity'), 'Called back')
  await userEvent.fill(dialog.getByLabelText('Reason, for staff'), 'Two by mistake')
  await userEvent.click(dialog.getByRole('button', { name: 'Merge into another account' }))
  await expect.element(dialog.getByText('No account has confirmed this address.')).toBeVisible()
  const merged_into = { id: other, email: 'anna@work.example', undo_until: '2099-01-01T12:00:00Z' }
  await reply(`GET ${own}account/`, { status: 200, body: { ...account, state: 'locked', merged_into } })
  await userEvent.click(dialog.getByRole('button', { name: 'Merge into another account' }))
  await expect.poll(lastToast).toBe('The merge is waiting for a second person’s approval')
  await reply(`DELETE ${own}merge/`, { status: 200, body: { servers_left: ['otter'], balance_left: true } })
  await userEvent.click(button('Undo the merge'))
  const undo = page.getByRole('dialog', { name: 'Undo the merge of Anna Brückner?' })
  await userEvent.fill(undo.getByLabelText('Reason, for staff'), 'Two people')
  await userEvent.click(undo.getByRole('button', { name: 'Undo the merge' }))
  await expect.poll(lastToast).toMatch(/the balance stays.*these stay: otter/)
})

const other = '00000000-0000-4000-8000-00000000000f'
