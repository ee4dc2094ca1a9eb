// The lists of staff that their heads sort: each order is walked page by page, has each row once, and is the other one turned round.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listBankLines } from '#features/banking/contract.ts'
import { listVouchers } from '#features/catalogue/contract.ts'
import { listPromoCodes } from '#features/catalogue/promo-contract.ts'
import { listTopUps } from '#features/finance/contract.ts'
import { listAudit } from '#features/operations/contract.ts'
import { listPayoutFiles, listStaffPayouts } from '#features/payouts/staff-contract.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
const admin = await superuserOf(test)
afterAll(() => admin.end())
const { api } = await signedInStaff(test, { roles: ['support', 'billing', 'admin'] })
const customer = await signedInCustomer(test)

// Five rows a list, of which two amounts are equal, and two times. Amounts do not rise with the ids.
const rows = `unnest(array[300, 100, 200, 300, 500]) with ordinality as made (amount, nth)`

beforeAll(async () => {
  const { user_id } = customer
  const made = [
    `insert into vouchers (code_hash, amount, currency, uses) select decode(md5(nth::text), 'hex'), amount, 'EUR', 1 from ${rows}`,
    `insert into promo_codes (code, amount, currency, first_order_only, renewals, uses) select 'CODE' || nth, amount, 'EUR', false, 0, 1 from ${rows}`,
    `insert into payout_files (id, payouts, total, currency, created_at)
       select 'PF-000000000' || nth, 1, amount, 'EUR', timestamptz '2026-01-01' + (nth / 2)::int * interval '1 microsecond' from ${rows}`,
    `insert into payouts (public_id, reference, user_id, amount, currency, way, provider)
       select lpad(nth::text, 22, 'p'), 'PO-000000000' || nth, '${user_id}', amount, 'EUR', 'bank', 'bank' from ${rows}`,
    `insert into top_ups (public_id, user_id, provider, amount, currency)
       select lpad(nth::text, 22, 't'), '${user_id}', 'bank', amount, 'EUR' from ${rows}`,
    `insert into audit (user_id, act, at) select '${user_id}', 'sorted.lists', timestamptz '2026-01-01' + (nth / 2)::int * interval '1 microsecond' from ${rows}`,
    `with file as (insert into bank_files (sha256, account_iban, statement_id, currency, kind) values ('\\x00', 'DE00', '1', 'EUR', 'csv') returning id)
     insert into bank_lines (file_id, account_iban, booked_on, amount, currency, name, iban, text, end_to_end, key, nth, match, place, state)
       select id, 'DE00', date '2026-01-01' + (made.nth / 2)::int, amount, 'EUR', 'Crow', '', 'Sorted', '', decode(md5(made.nth::text), 'hex'), 1,
         'exact', made.nth, case when made.nth = 2 then 'ignored' else 'open' end from file, ${rows}`,
  ]
  await admin.query('begin')
  await admin.query('set local session_replication_role = replica')
  for (const statement of made) await admin.query(statement)
  await admin.query('commit')
})

type Page = { items: readonly { id: string }[]; next_cursor: string | null }
type Place = { limit: '2'; cursor?: string }

const byTimes = [['newest', 'oldest']] as const
const byAmounts = [...byTimes, ['highest', 'lowest']] as const
const lists = {
  vouchers: [byAmounts, async (query) => bodyOf(await api.call(listVouchers, { query }), 200)],
  'promo codes': [byTimes, async (query) => bodyOf(await api.call(listPromoCodes, { query }), 200)],
  'files of payouts': [byAmounts, async (query) => bodyOf(await api.call(listPayoutFiles, { query }), 200)],
  payouts: [byAmounts, async (query) => bodyOf(await api.call(listStaffPayouts, { query }), 200)],
  transfers: [byAmounts, async (query) => bodyOf(await api.call(listTopUps, { query }), 200)],
  audit: [
    byTimes,
    async (query) => bodyOf(await api.call(listAudit, { query: { ...query, act: 'sorted.lists' } }), 200),
  ],
  "a person's audit": [
    byTimes,
    async (query) =>
      bodyOf(
        await api.call(listAudit, { query: { ...query, person: customer.user_id, act: 'sorted.lists' } }),
        200,
      ),
  ],
  'payments of all states': [
    byAmounts,
    async (query) =>
      bodyOf(await api.call(listBankLines, { query: { ...query, state: 'any', q: 'sorted' } }), 200),
  ],
} satisfies Record<
  string,
  [typeof byTimes | typeof byAmounts, (query: Place & { sort: 'newest' | 'oldest' }) => Promise<Page>]
>

it.each(Object.entries(lists))(
  '%s are walked in each order, which a press turns round',
  async (_name, list) => {
    const [orders, read] = list
    const walk = async (sort: string) => {
      const ids: string[] = []
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: Page = await read({ limit: '2', ...(cursor ? { cursor } : {}), sort: sort as 'newest' })
        ids.push(...page.items.map(({ id }) => id))
        cursor = page.next_cursor
      }
      return ids
    }
    const walked: string[] = []
    for (const [down, up] of orders) {
      const ids = await walk(down)
      expect(new Set(ids).size).toBe(5)
      expect(ids).toHaveLength(5)
      expect(await walk(up)).toEqual(ids.toReversed())
      walked.push(ids.join(' '))
    }
    expect(new Set(walked).size).toBe(orders.length)
  },
)
