import { expect, it } from 'vitest'
import { checkLedger, credit } from '#features/finance/server/finance.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { makeAccount } from '#tests/contract/accounts.ts'
import { ownerOf } from '#tests/harness/owner-rows.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { clientele } from './clientele.ts'
import { people } from './people.ts'
import { seedDemo } from './seed-demo.ts'
import { removeDemo } from './remove-demo.ts'

const { app } = await startTestApp()
const { owner, count } = await ownerOf({ app })

it('rule 39: removes the example people with all that is theirs, and nobody else', async () => {
  await seedDemo(app)
  const { user_id } = await makeAccount(app)
  const files = await count('attachments')
  expect(files).toBeGreaterThan(0)
  await owner.query(
    `insert into account_events (user_id, seq, type, data, customer_id)
     select '00000000-0000-0000-0000-000000000000', 1000000, 'customer.created', '{}', id from users where is_example limit 1`,
  )
  await owner.query(
    `begin; select set_config('app.actor', 'system', true); update help_articles set rank = rank where slug = 'helpers'; commit`,
  )
  const removed = await removeDemo(app)
  expect(await count('help_articles where is_published'), 'the one that somebody changed').toBe(1)
  expect(
    await count(`help_stems where article_id not in (select id from help_articles where is_published)`),
  ).toBe(0)
  expect(removed.withdrawnArticles).toBe((await count('help_articles')) - 1)
  expect(removed.emails.toSorted()).toEqual([...people, ...clientele].map(({ email }) => email).toSorted())
  expect(removed.keptPlans).toEqual([])
  const { rows: users } = await owner.query('select id from users')
  expect(users).toEqual([{ id: user_id }])
  const { rows: tables } = await owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'user_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'audit'`,
  )
  for (const { name } of tables) {
    const { rows } = await owner.query(`select from ${name} where user_id <> $1`, [user_id])
    expect(rows, name).toEqual([])
  }
  const { rows: events } = await owner.query('select from account_events where customer_id <> $1', [user_id])
  expect(events, 'what the operator was told of them').toEqual([])
  for (const table of [
    'host_metrics',
    'host_metrics_thinned',
    'host_figures',
    'assistant_proposals',
    'account_tokens',
    'vouchers',
    'promo_codes',
    'plans',
    'editions',
    'extras',
    "products where slug <> 'server'",
    'ticket_tags',
    'desk_views',
    'invoice_counters',
    'entries',
    'answer_targets',
    'received_mails',
    'ticket_ratings',
  ])
    expect(await count(table), table).toBe(0)
  expect(await count('answer_calendar where is_open'), 'no hours are promised').toBe(0)
  expect(await count('attachment_leftovers'), 'the bytes of files are swept').toBeGreaterThanOrEqual(files)
  expect(await count(`audit where act = 'demo.removed'`)).toBe(1)
  expect(await checkLedger(app.ownerUrl)).toMatchObject({ damages: [] })
  const { rows: off } = await owner.query(
    "select tgname from pg_trigger where tgenabled <> 'O' and not tgisinternal",
  )
  expect(off, 'every guard stands again').toEqual([])
})

it('rule 39: refuses, and removes nothing, where the bookings of others are in the same books', async () => {
  const [example, real] = [await makeAccount(app), await makeAccount(app)]
  await transaction(app, 'system', (tx) =>
    tx.updateTable('users').set({ is_example: true }).where('id', '=', example.user_id).execute(),
  )
  for (const { user_id } of [example, real])
    await transaction(app, 'system', (tx) => credit(app, tx, { user_id, amount: 500n, reason: 'gift' }))
  const before = [await count('users'), await count('transactions')]
  await expect(removeDemo(app)).rejects.toThrow(
    new RegExp(`${real.email} have bookings.*demo retire.*empty database`, 's'),
  )
  expect([await count('users'), await count('transactions')]).toEqual(before)
})
