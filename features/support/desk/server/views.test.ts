import { afterAll, expect, it } from 'vitest'
import * as contract from '#features/support/desk/view-contract.ts'
import * as desk from '#features/support/desk/contract.ts'
import * as tickets from '#features/support/tickets/contract.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const superuser = await superuserOf(test)
afterAll(() => superuser.end())
const [olivia, jonas, anna] = [
  await signedInStaff(test),
  await signedInStaff(test),
  await signedInCustomer(test),
]
type Fields = { name: string; shared: boolean; filter: contract.ViewFilter }
type Change = Partial<Fields> & { version: number }

const listed = async ({ api } = olivia) => bodyOf(await api.call(contract.listViews, {}), 200).items
const names = async (of = olivia) => (await listed(of)).map(({ name }) => name)
const create = (body: Fields, { api } = olivia) => api.call(contract.createView, { headers: {}, body })
const change = (ticketViewId: string, body: Change, { api } = olivia) =>
  api.call(contract.updateView, { params: { ticketViewId }, body })
const remove = (ticketViewId: string, { api } = olivia) =>
  api.call(contract.deleteView, { params: { ticketViewId } })
const rowsOf = async <Row>(text: string) => (await superuser.query(text)).rows as Row[]

it('keeps views: one’s own for oneself, and those of the whole team for all, who hear of it', async () => {
  const mine = bodyOf(await create({ name: 'Mine', shared: false, filter: { tag: ' VIP' } }), 201)
  const ours = bodyOf(await create({ name: 'Ours', shared: true, filter: { tab: 'incoming' } }, jonas), 201)
  expect((await listed()).map(({ name, shared, filter }) => ({ name, shared, filter }))).toEqual([
    { name: 'Mine', shared: false, filter: { tag: 'vip' } },
    { name: 'Ours', shared: true, filter: { tab: 'incoming' } },
  ])
  expect(await names(jonas)).toEqual(['Ours'])
  // Nobody else reads, changes or deletes a view of one's own.
  expect((await change(mine.id, { name: 'x', version: mine.version }, jonas)).status).toBe(404)
  expect((await remove(mine.id, jonas)).status).toBe(404)
  // One of the whole team is changed by each of them; taken from the team, it is the one's who took it.
  const renamed = bodyOf(await change(ours.id, { name: 'All of ours', version: ours.version }), 200)
  expect(bodyOf(await change(ours.id, { shared: false, version: renamed.version }), 200).shared).toBe(false)
  expect(await names(jonas)).toEqual([])
  expect((await remove(ours.id, jonas)).status).toBe(404)
  expect((await remove(ours.id)).status).toBe(204)
  expect((await remove(mine.id)).status).toBe(204)
  expect(
    await rowsOf(`select act, detail->>'name' as name from audit where act like 'desk.view%' order by id`),
  ).toEqual([
    { act: 'desk.view_saved', name: 'Ours' },
    { act: 'desk.view_saved', name: 'All of ours' },
    { act: 'desk.view_removed', name: 'All of ours' },
  ])
})

it('rule 45: an edit of an older view changes nothing and answers with the present one', async () => {
  const view = bodyOf(await create({ name: 'Team', shared: true, filter: {} }), 201)
  const both = await Promise.all(
    [olivia, jonas].map((one) => change(view.id, { name: one.user_id, version: view.version }, one)),
  )
  expect(both.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]))
  const [present] = await listed()
  expect(await change(view.id, { filter: { topic: 'review' }, version: view.version })).toMatchObject({
    status: 409,
    body: { errors: [{ code: 'changed' }], present },
  })
  expect((await remove(view.id)).status).toBe(204)
})

it('keeps the filter of a view whose tag and colleague are gone: it finds nothing, and does again', async () => {
  const body = { subject: 'A question', message: 'How?', topic: 'review' as const }
  const { id: chatId } = bodyOf(await anna.api.call(tickets.createTicket, { body }), 201)
  const sort = (acts: object) => olivia.api.call(desk.changeTicket, { params: { chatId }, body: acts })
  await sort({ add_tags: ['rare'], assignee: jonas.user_id })
  const filter = { tag: 'rare', assignee: jonas.user_id }
  const { id } = bodyOf(await create({ name: 'Rare', shared: false, filter }), 201)
  const found = async () => {
    const view = (await listed()).find((one) => one.id === id)
    const query = view?.filter ?? {}
    expect(query).toEqual(filter)
    return bodyOf(await olivia.api.call(desk.listStaffTickets, { query }), 200).items.length
  }
  expect(await found()).toBe(1)
  await sort({ remove_tags: ['rare'] })
  await superuser.query(`update users set is_active = false where id = $1`, [jonas.user_id])
  expect(await found()).toBe(0)
  await superuser.query(`update users set is_active = true where id = $1`, [jonas.user_id])
  await sort({ add_tags: ['rare'] })
  expect(await found()).toBe(1)
  expect((await remove(id)).status).toBe(204)
})

it('rule 33: thirty for the whole team and thirty of one’s own at most, also for many at once and by moving one', async () => {
  const make = (shared: boolean, filter = {}) => create({ name: 'View', shared, filter })
  for (const shared of [true, false]) {
    const answers = await Promise.all(Array.from({ length: 33 }, () => make(shared)))
    const statuses: number[] = answers.map(({ status }) => status)
    const counted = (wanted: number) => statuses.filter((status) => status === wanted).length
    expect([counted(201), counted(409)]).toEqual([30, 3])
  }
  const [one] = (await listed()).filter(({ shared }) => !shared)
  expect(await change(one?.id ?? '', { shared: true, version: one?.version ?? 0 })).toMatchObject({
    status: 409,
    body: { errors: [{ code: 'too_many_ticket_views' }] },
  })
  expect((await anna.api.get('/api/staff/ticket-views/')).status).toBe(403)
})
