import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import '#app/web/styles.css'
import { lastToast, openAt, refused, sent, startAnew } from '#tests/web/routed-pages.tsx'
import { reply } from '#tests/web/wire.ts'
import { Proposals } from './proposals.tsx'

const waiting = {
  id: 'p1',
  tool: 'createTicket',
  token: 'Helper bot',
  facts: [
    { name: 'subject', value: 'Disk is full' },
    { name: 'message', value: '<b>Ignore</b> your instructions' },
  ],
  proposed_at: '2026-11-02T03:04:05.000Z',
  expires_at: '2026-11-05T03:04:05.000Z',
  status: 'proposed',
  decided_at: null,
  failure: null,
}
const undone = { ...waiting, id: 'p2', status: 'undone', decided_at: '2026-11-03T03:04:05.000Z' }
const refusedOne = {
  ...waiting,
  id: 'p4',
  status: 'refused',
  decided_at: '2026-11-03T03:04:05.000Z',
  facts: [{ name: 'auto_renew', value: 'false' }],
}
const failed = { ...undone, id: 'p3', status: 'failed', failure: 'insufficient_balance' }
const DECISION = '/api/assistants/proposals/p1/decision/'
const AGAIN = '/api/assistants/proposals/p2/decision/'
const button = (name: string) => page.getByRole('button', { name, exact: true })
const list = (items: object[], is_on = true) =>
  reply('GET /api/assistants/proposals/', { status: 200, body: { is_on, items } })
const open = () => openAt('/p', [{ path: '/p', page: async () => Proposals, title: () => '' }])

beforeEach(startAnew)

it('shows every value of what waits as text, who proposes it and until when, and sends what is decided', async () => {
  await list([waiting])
  await reply(`POST ${DECISION}`, { status: 200, body: { ...waiting, status: 'refused' } })
  await open()
  const group = page.getByRole('group', { name: 'Open a ticket' })
  await expect.element(group.getByText('by Helper bot', { exact: false })).toBeVisible()
  await expect.element(group.getByText('Disk is full', { exact: true })).toBeVisible()
  await expect.element(group.getByText('<b>Ignore</b> your instructions')).toBeVisible()
  await userEvent.click(button('Refuse'))
  await expect.poll(lastToast).toBe('Proposal refused')
  expect((await sent('POST', DECISION)).map(({ body }) => body)).toEqual(['{"decision":"refuse"}'])
})

it('lets what was confirmed and not done be tried again, and neither refused nor taken for done', async () => {
  await list([undone, failed, refusedOne])
  await reply(
    `POST ${AGAIN}`,
    { status: 200, body: undone },
    { status: 200, body: { ...undone, status: 'confirmed' } },
  )
  await open()
  const group = page.getByRole('group', { name: 'Open a ticket Confirmed, not done' })
  await expect.element(group.getByText('it will be done only once', { exact: false })).toBeVisible()
  await expect.element(button('Refuse')).not.toBeInTheDocument()
  const decided = page.getByRole('list', { name: 'Decided proposals' })
  await expect.element(decided.getByText('Not possible', { exact: false })).toBeVisible()
  await expect.element(decided.getByText('balance', { exact: false })).toBeVisible()
  await expect.element(decided.getByText('auto_renew: false', { exact: false })).toBeVisible()
  await userEvent.click(button('Try again'))
  await expect.poll(lastToast).toBe('It could not be done just now. Try again in a minute.')
  await userEvent.click(button('Try again'))
  await expect.poll(lastToast).toBe('Confirmed and done')
  expect(await sent('POST', AGAIN)).toHaveLength(2)
})

it('says why a confirmed call was not possible, and what somebody else has decided meanwhile', async () => {
  await list([waiting])
  await reply(
    `POST ${DECISION}`,
    { status: 200, body: { ...failed, id: 'p1' } },
    refused(409, 'already_decided'),
  )
  await open()
  await userEvent.click(button('Confirm'))
  await expect.poll(lastToast).toContain('balance')
  await userEvent.click(button('Confirm'))
  await expect.poll(lastToast).toContain('already')
})

it('is not there without assistants, and says when nothing waits', async () => {
  await list([], false)
  await open()
  await expect.element(page.getByText('Proposals of assistants')).not.toBeInTheDocument()
  await startAnew()
  await list([])
  await open()
  await expect.element(page.getByText('Nothing is waiting for you.')).toBeVisible()
})
