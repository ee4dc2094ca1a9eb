import { expect, it } from 'vitest'
import { exitCodeOf } from '#app/cli/exit-codes.ts'
import { commands } from '#app/cli/commands.ts'
import * as contract from '#features/customers/contract.ts'
import { undoMerge } from '#features/customers/merge-contract.ts'
import { updateHost } from '#features/hosts/contract.ts'
import { deactivate } from '#features/profile/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { setStaffRoles } from '#foundation/server/session/session.ts'
import { signedInCustomer, type Customer } from '#tests/harness/customer.ts'
import { asOwner, bodyOf, refusal } from '#tests/harness/hosts.ts'
import { buyer, orderHost, sellLarge, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { byCommand } from './customers.ts'

const test = await startTestApp({ settings: { STAFF_APPROVALS: 'off' } })
const { app } = test
await stockShop(test)
await sellLarge(test)
const member = async (role: 'owner' | 'support') => {
  const person = await signedInCustomer(test)
  await transaction(app, 'system', (tx) => setStaffRoles(tx, person.user_id, [role]))
  return person
}
const [owner, support] = [await member('owner'), await member('support')]

const merge = ({ user_id }: Customer, into: Customer) =>
  byCommand.mergeByCommand(app, { user_id, reason: 'one person' }, { into: into.user_id, now: true })
const unmerge = ({ user_id }: Customer) => byCommand.unmergeByCommand(app, { user_id, reason: 'two' })
const here = { config: app.config, log: app.log, ownerUrl: app.ownerUrl, close: async () => {} }
const run = (word: string, { user_id }: Customer, options = {}) =>
  must(commands[`customer ${word}`]).run(here, [user_id], options)

// Seen red: the account that stays was deleted, nothing could be undone, and the merged account stayed locked with its addresses taken.
it('while a merge can be undone, the account that stays is deleted by nobody: not by its owner, staff or a command', async () => {
  const [from, into] = [await buyer(test, 0n), await buyer(test, 0n)]
  await merge(from, into)
  const refused = refusal(409, 'merge_undoable')
  expect((await into.api.call(deactivate, { body: {} })).body).toMatchObject(refused)
  const body = { email: into.email, reason: 'Wants to leave' }
  const erase = () => owner.api.call(contract.eraseCustomer, { params: { userId: into.user_id }, body })
  expect((await erase()).body).toMatchObject(refused)
  expect(await run('erase', into, { yes: true }).then(() => 0, exitCodeOf)).not.toBe(0)
  expect(await unmerge(from)).toMatchObject({ servers_left: [] })

  await merge(from, into)
  await asOwner(test, `update account_merges set merged_at = now() - interval '8 days' where user_id = $1`, [
    from.user_id,
  ])
  expect((await into.api.call(deactivate, { body: {} })).status).toBe(204)
})

it('a merge into an account of somebody who joined the staff since is undone by an owner', async () => {
  const [from, into] = [await buyer(test, 0n), await buyer(test, 0n)]
  await merge(from, into)
  await transaction(app, 'system', (tx) => setStaffRoles(tx, into.user_id, ['support']))
  const undo = ({ api }: Customer) =>
    api.call(undoMerge, { params: { userId: from.user_id }, body: { reason: 'Two people after all' } })
  expect((await undo(support)).status).toBe(403)
  expect((await undo(owner)).status).toBe(200)
})

it('staff see what was merged into an account, by page and by command', async () => {
  const [from, into] = [await buyer(test, 0n), await buyer(test, 0n)]
  const of = async ({ user_id: userId }: Customer) =>
    bodyOf(await owner.api.call(contract.getCustomerAccount, { params: { userId } }), 200).merged_from
  await merge(from, into)
  expect(await of(into)).toEqual([
    { id: from.user_id, email: from.email, merged_at: expect.any(String) as string },
  ])
  expect((await run('show', into)).lines.at(-1)).toContain(`${from.user_id} ${from.email} was merged into it`)
  expect((await run('show', from)).lines.at(-1)).toBe(`Merged into ${into.user_id} ${into.email}.`)
  await unmerge(from)
  expect(await of(into)).toEqual([])
})

/** The choices for the end of a server and what was said about it, as far as they are its present owner's. */
const keptOf = async (host_id: string) =>
  (
    await asOwner(
      test,
      `select (select renewal_plan from licence_settings s where s.host_id = h.id and s.user_id = h.user_id) as plan,
        (select extras from chosen_extras c where c.host_id = h.id and c.user_id = h.user_id) as extras,
        (select moved_at is not null from plan_move_hosts t where t.host_id = h.id and t.user_id = h.user_id) as moved,
        (select announced_net from licence_watches w where w.host_id = h.id and w.user_id = h.user_id) as announced,
        (select count(*)::int from activations a where a.host_id = h.id and a.user_id = h.user_id) as machines
      from hosts h where h.public_id = $1`,
      [host_id],
    )
  )[0]

// Seen red: the choices were deleted as for a stranger, while the automatic renewal stayed on, so that the dearer plan was charged.
it('a merge and its undoing keep what the person chose for the end, the machines, and what mails have said', async () => {
  const [from, into] = [await buyer(test, 50_000n), await buyer(test, 0n)]
  const { id } = bodyOf(await orderHost(from, { plan: 'large-month', total: 4760n }), 201).host
  bodyOf(await from.api.call(updateHost, { params: { hostId: id }, body: { auto_renew: true } }), 200)
  const rows = [
    `insert into licence_settings (host_id, user_id, renewal_plan) select id, user_id, 'standard-month' from hosts where public_id = $1`,
    `insert into chosen_extras (host_id, user_id, extras) select id, user_id, '[]' from hosts where public_id = $1`,
    `insert into plan_moves (from_plan, to_plan, net, counts_from) select 'large-month', 'standard-month', 1990, now() + interval '31 days' where $1 <> ''`,
    `insert into plan_move_hosts (move_id, host_id, user_id, moved_at) select m.id, h.id, h.user_id, now() from plan_moves m, hosts h where h.public_id = $1`,
    `update licence_watches set announced_net = 1500 where host_id = (select id from hosts where public_id = $1)`,
    `insert into activations (host_id, user_id, fingerprint, address) select id, user_id, repeat('a', 64), '192.0.2.7' from hosts where public_id = $1`,
  ]
  for (const row of rows) await asOwner(test, row, [id])
  const before = await keptOf(id)
  expect(before).toMatchObject({
    plan: 'standard-month',
    extras: [],
    moved: true,
    announced: '1500',
    machines: 1,
  })
  await merge(from, into)
  expect(await keptOf(id)).toEqual(before)
  await unmerge(from)
  expect(await keptOf(id)).toEqual(before)
})
