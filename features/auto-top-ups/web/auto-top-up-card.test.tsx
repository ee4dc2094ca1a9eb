import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import type { PageRoute } from '#foundation/web/pages.ts'
import { euros, openAt, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { routes } from './feature.tsx'

const card: PageRoute = {
  path: '/card',
  page: () => import('./auto-top-up-card.tsx').then((file) => file.AutoTopUpCard),
}
const RUN = 'A'.repeat(22)
const method = {
  id: 'M'.repeat(22),
  provider: 'test',
  kind: 'card',
  brand: 'Visa',
  last4: '4242',
  expires: '2031-04',
  mandate: null,
  is_default: true,
  state: 'active',
  reason: null,
  created_at: '2026-11-20T10:00:00.000Z',
}
const run = (state: string, more: object = {}) => ({
  id: RUN,
  state,
  amount: euros('2368'),
  reason: '',
  created_at: '2026-11-20T10:00:00.000Z',
  charge_at: '2026-11-22T10:00:00.000Z',
  act_until: null,
  ended_at: null,
  ...more,
})
const waits = run('action_needed', { act_until: '2026-11-29T10:00:00.000Z' })
const standing = (more: object = {}) =>
  reply('GET /api/finances/auto-top-up/', {
    status: 200,
    body: {
      state: 'active',
      reason: null,
      kind: 'cover',
      method,
      month_limit: euros('5000'),
      threshold: null,
      amount: null,
      used: euros('2368'),
      open_run: null,
      version: 3,
      days_ahead: { at_once: 3, direct_debit: 10 },
      ...more,
    },
  })
const visible = (text: string) => expect.element(page.getByText(text, { exact: false })).toBeVisible()
const button = (name: string) => page.getByRole('button', { name })

beforeEach(async () => {
  await startAnew()
  const offered = [{ provider: 'test', kind: 'card' }]
  await reply('GET /api/finances/methods/', { status: 200, body: { items: [method], offered } })
})

it('says in one sentence what is charged, when, and how much at most', async () => {
  await standing()
  await openAt('/card', [card])
  await visible(
    'We charge Visa •••• 4242 for what the renewals of the next 3 days lack, at most €50.00 a month.',
  )
  await visible('€23.68 of €50.00 used this month')
  const runs = [run('paid'), run('declined', { id: 'B'.repeat(22) })]
  await reply('GET /api/finances/auto-top-up/runs/', {
    status: 200,
    body: { items: runs, next_cursor: null },
  })
  await userEvent.click(button('Show charges'))
  await visible('Paid')
  await visible('Declined')
})

it('says why it is paused, and that a charge under way does not count yet', async () => {
  await standing({ state: 'paused', reason: 'disputed', open_run: run('under_way') })
  await openAt('/card', [card])
  await visible('Automatic top-up is paused')
  await visible('A payment was charged back.')
  await visible('€23.68 is under way. It counts once it has arrived.')
  await expect.element(button('Continue')).toBeVisible()
})

it('leads to the page that finishes a charge which the bank wants confirmed', async () => {
  await standing({ open_run: waits })
  await openAt('/card', [card, ...routes])
  await reply(`GET /api/finances/auto-top-up/runs/${RUN}/`, { status: 200, body: waits })
  await userEvent.click(page.getByRole('link', { name: 'Confirm the charge' }))
  const path = `/api/finances/auto-top-up/runs/${RUN}/page/`
  await reply(`POST ${path}`, {
    status: 409,
    body: { status: 409, errors: [{ code: 'run_not_waiting', message: '' }] },
  })
  await userEvent.click(button('Confirm the charge'))
  await expect.poll(async () => (await sent('POST', path)).length).toBe(1)
  await reply(`GET /api/finances/auto-top-up/runs/${RUN}/`, { status: 200, body: run('paid') })
})

it('says that a charge waits no more', async () => {
  await reply(`GET /api/finances/auto-top-up/runs/${RUN}/`, { status: 200, body: run('expired') })
  await openAt(`/finances/pay/${RUN}`, routes)
  await visible('Nothing is left to confirm')
  await visible('This charge of €23.68 isn’t waiting for you any more: Expired.')
})

it('is not there where nothing can be saved', async () => {
  await standing({ state: 'off', method: null, month_limit: null })
  await reply('GET /api/finances/methods/', { status: 200, body: { items: [], offered: [] } })
  await openAt('/card', [card])
  await expect.poll(async () => (await sent('GET', '/api/finances/methods/')).length).toBe(1)
  await expect.element(page.getByText('Automatic top-up')).not.toBeInTheDocument()
})
