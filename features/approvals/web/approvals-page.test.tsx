import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { storeUser } from '#tests/web/stored.ts'
import { euros, lastToast, openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './staff-feature.tsx'

const waiting = {
  id: 'a1',
  act: 'finance.credit',
  why: 'linked',
  amount: euros('12000'),
  reason: 'Two days of outage',
  customer: { id: 'c1', name: 'Anna Berger', email: 'anna@example.com' },
  proposed_by: { id: 'j', name: 'Jonas Keller' },
  proposed_at: '2026-11-02T03:04:05.000Z',
  expires_at: '2026-11-05T03:04:05.000Z',
  status: 'proposed',
  decided_by: null,
  decided_at: null,
  note: null,
  failure: null,
  links: ['address'],
  barred: null,
  preview: [
    { code: 'balance', params: { before: '1000', after: '13000' } },
    { code: 'of a newer server', params: {} },
  ],
}
const decided = {
  ...waiting,
  id: 'a2',
  act: 'finance.refund',
  status: 'refused',
  decided_by: { id: 'o', name: 'Olivia Grant' },
  decided_at: '2026-11-03T03:04:05.000Z',
  note: 'Not in this case',
  links: [],
  barred: null,
  preview: [],
}
const failed = { ...decided, id: 'a4', status: 'failed', note: null, failure: 'not_refundable' }
const DECISION = '/api/staff/approvals/a1/decision/'
const button = (name: string) => page.getByRole('button', { name, exact: true })

beforeEach(async () => {
  await startAnew()
  storeUser({ id: 'o', display: 'Olivia' })
  await reply('GET /api/staff/me/', {
    status: 200,
    body: { permissions: ['approvals.read', 'approvals.decide', 'finance.credit'], two_factor: 'ok' },
  })
  await reply('GET /api/staff/approvals/', {
    status: 200,
    body: { items: [waiting, decided, failed], next_cursor: null },
  })
})

it('shows effect, requester and their link to the customer for a waiting approval, and the outcome for a decided one', async () => {
  await openAt('/staff-approvals', routes)
  const row = page.getByRole('list', { name: 'Waiting' })
  await expect.element(row.getByText(/Credit of €120\.00/).first()).toBeVisible()
  await expect.element(row.getByText(/The balance goes from €10\.00 to €130\.00\./).first()).toBeVisible()
  await expect.element(row.getByText(/the same surname and street address/).first()).toBeVisible()
  await expect.element(row.getByText(/Requested by Jonas Keller/).first()).toBeVisible()
  const list = page.getByRole('list', { name: 'Decided' })
  await expect.element(list.getByText(/Refund of €120\.00/).first()).toBeVisible()
  await expect.element(list.getByText(/Not in this case/).first()).toBeVisible()
  await expect.element(list.getByText(/This transaction can’t be refunded/).first()).toBeVisible()
})

it('approves in a dialog that names customer and amount, and says where it could not be carried out', async () => {
  await openAt('/staff-approvals', routes)
  await reply(
    `POST ${DECISION}`,
    { status: 409, body: { errors: [{ code: 'already_decided', message: '' }] } },
    { status: 200, body: { ...waiting, status: 'failed', failure: 'balance_cap' } },
  )
  await userEvent.click(button('Approve'))
  const dialog = page.getByRole('dialog', { name: 'Approve?' })
  await expect.element(dialog.getByText(/^Credit of €120.00 for Anna Berger\./)).toBeVisible()
  await userEvent.click(dialog.getByRole('button', { name: 'Approve' }))
  await expect.element(dialog.getByText(/has already been decided on, was withdrawn/)).toBeVisible()
  await userEvent.fill(dialog.getByLabelText('Note'), 'Fine')
  await userEvent.click(dialog.getByRole('button', { name: 'Approve' }))
  await expect.poll(lastToast).toMatch(/^Approved, but it couldn’t be carried out: /)
  expect((await sent('POST', DECISION)).at(-1)?.body).toBe('{"decision":"approve","note":"Fine"}')
})

it('offers nothing but withdrawing on one’s own, and says where a permission is missing', async () => {
  storeUser({ id: 'j', display: 'Jonas' })
  await reply('GET /api/staff/approvals/', {
    status: 200,
    body: {
      items: [
        waiting,
        { ...waiting, id: 'a3', act: 'banking.book', proposed_by: { id: 'x', name: 'Xenia' } },
      ],
      next_cursor: null,
    },
  })
  await reply('DELETE /api/staff/approvals/a1/', { status: 204 })
  await openAt('/staff-approvals', routes)
  await expect.element(page.getByText(/needs a permission that you don’t have/)).toBeVisible()
  expect(button('Approve').elements()).toHaveLength(0)
  await userEvent.click(button('Withdraw'))
  await expect.poll(lastToast).toBe('Withdrawn')
})
