import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { Client } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { transactionTypes } from '#features/finance/rules.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { addMoney, move } from '#tests/harness/money.ts'
import { sell } from '#tests/harness/sale.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { checkLedger } from './check.ts'
import { balanceOf } from './finance.ts'
import type { Movement, Posted } from './ledger.ts'
import { must } from '#foundation/must.ts'

const test = await startTestApp()
const { app } = test
const owner = new Client({ connectionString: app.ownerUrl })
await owner.connect()
afterAll(() => owner.end())

const { user_id } = await signedInCustomer(test)
const stranger = await signedInCustomer(test)
const paid = await addMoney(app, user_id, 50_00n)
await addMoney(app, stranger.user_id, 50_00n)
const voucher = { code: 'voucher', params: {} } as const
await move(app, {
  type: 'fill_balance_voucher',
  user_id: stranger.user_id,
  amount: 1_00n,
  description: voucher,
})
const order = { code: 'licence_order', params: {} } as const
const spent = await move(app, { type: 'spend', user_id, amount: 20_00n, description: order })
const taxed = await sell(app, { user_id, nets: [1_00n] })

const idOf = async (where: string): Promise<string> =>
  must((await owner.query<{ id: string }>(`select id::text from ledger_accounts where ${where}`)).rows[0]).id
const mine = await idOf(`user_id = '${user_id}'`)
const theirs = await idOf(`user_id = '${stranger.user_id}'`)
const revenue = await idOf("kind = 'revenue'")
const payments = await idOf("kind = 'payments'")
const vat = await idOf("kind = 'vat'")

const head = (
  id: string,
  type = 'spend',
  more: { user?: string; reverses?: string; splits?: string; currency?: string } = {},
) =>
  `insert into transactions (id, type, user_id, currency, description, reverses, splits, splits_document) values
   ('${id}', '${type}', '${more.user ?? user_id}', '${more.currency ?? 'EUR'}', '{}', ${more.reverses ? `'${more.reverses}'` : 'null'},
   ${more.splits ? `'${more.splits}', 'a document'` : 'null, null'})`
const side = (id: string, account: string, amount: number, currency = 'EUR') =>
  `insert into entries (transaction_id, account_id, currency, amount) values ('${id}', ${account}, '${currency}', ${amount})`

const id = randomUUID()
/** Writes of a faulty program to the ledger, each with its name and its statements. The database must refuse all of them. */
const attacks: readonly (readonly [what: string, statements: string[]])[] = [
  ['a head without sides', [head(id)]],
  ['one side only', [head(id), side(id, mine, -100)]],
  ['two sides that do not cancel out', [head(id), side(id, mine, -100), side(id, revenue, 99)]],
  ['a third side', [head(id), side(id, mine, -100), side(id, revenue, 50), side(id, payments, 50)]],
  ["money out of a stranger's account", [head(id), side(id, theirs, -100), side(id, revenue, 100)]],
  ['money for nothing', [head(id), side(id, mine, 100), side(id, revenue, -100)]],
  ['a top-up out of revenue', [head(id, 'fill_balance'), side(id, mine, 100), side(id, revenue, -100)]],
  ['a type that is none', [head(id, 'gift'), side(id, mine, 100), side(id, revenue, -100)]],
  ['from customer to customer', [head(id), side(id, mine, -100), side(id, theirs, 100)]],
  ['nothing at all', [head(id), side(id, mine, 0), side(id, revenue, 0)]],
  ['more than there is', [head(id), side(id, mine, -2882), side(id, revenue, 2882)]],
  ['another currency', [head(id), side(id, mine, -100, 'USD'), side(id, revenue, 100, 'USD')]],
  [
    'a head of another currency',
    [head(id, 'spend', { currency: 'USD' }), side(id, mine, -100), side(id, revenue, 100)],
  ],
  ['a refund of nothing', [head(id, 'return_on_balance'), side(id, mine, 100), side(id, revenue, -100)]],
  [
    'a refund of more than was spent',
    [
      head(id, 'return_on_balance', { reverses: spent.transaction_id }),
      side(id, mine, 2001),
      side(id, revenue, -2001),
    ],
  ],
  [
    'a refund of a top-up',
    [
      head(id, 'return_on_balance', { reverses: paid.transaction_id }),
      side(id, mine, 100),
      side(id, revenue, -100),
    ],
  ],
  [
    "a refund of a stranger's spending",
    [
      head(id, 'return_on_balance', { user: stranger.user_id, reverses: spent.transaction_id }),
      side(id, theirs, 100),
      side(id, revenue, -100),
    ],
  ],
  [
    'a chargeback of more than was paid',
    [
      head(id, 'charge_back', { reverses: paid.transaction_id }),
      side(id, mine, -5001),
      side(id, payments, 5001),
    ],
  ],
  ['another side for what is booked', [side(spent.transaction_id, revenue, 5)]],
  [
    'a gift that is spent as money',
    [head(id, 'spend', { user: stranger.user_id }), side(id, theirs, -100), side(id, revenue, 100)],
  ],
  ['a side of VAT for what is booked', [side(spent.transaction_id, vat, 5)]],
  ['a second side of VAT', [side(taxed.transaction_id, vat, 5)]],
  [
    'VAT that goes the other way',
    [head(id), side(id, mine, -100), side(id, revenue, 119), side(id, vat, -19)],
  ],
  [
    'VAT of a top-up',
    [head(id, 'fill_balance'), side(id, mine, 100), side(id, payments, -81), side(id, vat, -19)],
  ],
  ['VAT of another currency', [head(id), side(id, mine, -100), side(id, vat, 100, 'USD')]],
  ['a split of nothing', [head(id, 'vat_split'), side(id, revenue, -19), side(id, vat, 19)]],
  [
    'a split that does not come to nothing',
    [head(id, 'vat_split', { splits: spent.transaction_id }), side(id, revenue, -19), side(id, vat, 18)],
  ],
  [
    "a split out of the customer's account",
    [head(id, 'vat_split', { splits: spent.transaction_id }), side(id, mine, -19), side(id, vat, 19)],
  ],
  [
    'a split of a top-up',
    [head(id, 'vat_split', { splits: paid.transaction_id }), side(id, revenue, -19), side(id, vat, 19)],
  ],
  [
    'a spending that splits',
    [head(id, 'spend', { splits: spent.transaction_id }), side(id, mine, -1), side(id, revenue, 1)],
  ],
  [
    'sides that are looked at before the last one comes',
    [head(id), side(id, mine, -1), 'set constraints all immediate', side(id, revenue, 1)],
  ],
  ['a balance', [`update balances set balance = balance + 1`]],
  [
    'a balance of one’s own',
    [
      `insert into balances (account_id, user_id, currency, balance) values (${revenue}, '${user_id}', 'EUR', 5)`,
    ],
  ],
  ...[
    'entries',
    'transactions',
    'balances',
    'ledger_accounts',
    'transaction_types',
    'transaction_documents',
    'redemptions',
  ].flatMap((table): (readonly [string, string[]])[] => [
    [`deleting from ${table}`, [`delete from ${table}`]],
    [`truncating ${table}`, [`truncate ${table} cascade`]],
  ]),
  ['changing an amount', ['update entries set amount = amount * 2']],
  ['changing what it was for', [`update transactions set description = '{}'`]],
  [
    'changing an account',
    [`update ledger_accounts set kind = 'revenue', user_id = null where user_id is not null`],
  ],
  ['changing what is allowed', [`update transaction_types set sign = 1`]],
]

// The messages of the ledger's constraints; a statement that is merely wrong fails with another message.
const refusals =
  /violates|permission denied|append-only|follows its entries|has \d sides|does not move|takes (nothing )?back|moves a gift|row-level/

// A statement that finds no row is not refused, and in this test these tables have no rows.
const empty = /deleting from (transaction_documents|redemptions)/

describe.each([
  ['the application', async () => app.pool.connect()],
  ['the owner of the tables', async () => Object.assign(owner, { release: () => undefined })],
] as const)('rules 7 and 8: %s cannot break the ledger', (who, connect) => {
  it.each(attacks.filter(([what]) => !(empty.test(what) && who !== 'the application')))(
    'by %s',
    async (_what, statements) => {
      const before = await checkLedger(app.ownerUrl)
      const connection = await connect()
      const attack = async () => {
        await connection.query('begin')
        await connection.query("select set_config('app.actor', 'system', true)")
        for (const statement of statements) await connection.query(statement)
        await connection.query('commit')
      }
      await expect(attack()).rejects.toThrow(refusals)
      await connection.query('rollback')
      connection.release()
      expect(await checkLedger(app.ownerUrl)).toEqual({ ...before, damages: [] })
    },
  )
})

it('a customer books nothing for another, even if the code tries to', async () => {
  const connection = await app.pool.connect()
  await connection.query('begin')
  await connection.query("select set_config('app.actor', $1, true)", [stranger.user_id])
  await expect(connection.query(head(randomUUID()))).rejects.toThrow('row-level security')
  await connection.query('rollback')
  connection.release()
})

type Step = { type: Movement['type']; who: number; amount: bigint; of: number }
const steps = fc.array(
  fc.record({
    type: fc.constantFrom(...transactionTypes),
    who: fc.nat(2),
    amount: fc.bigInt(1n, 60_00n),
    of: fc.nat(20),
  }),
  { minLength: 1, maxLength: 40 },
)
const takesBack = {
  charge_back: 'fill_balance',
  return_on_balance: 'spend',
  inner_refund: 'inner_spending',
} as const
const rises: readonly string[] = ['fill_balance', 'fill_balance_voucher', 'return_on_balance', 'inner_refund']

it('rules 7 and 8: in any order of bookings sums are zero, balances equal their entries, and only chargebacks make debt', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (run) => {
      const customers = await Promise.all([1, 2, 3].map(() => signedInCustomer(test)))
      const balances = [0n, 0n, 0n]
      const booked: (Posted & Step & { left: bigint })[] = []
      for (const step of run) {
        const { type, who, amount } = step
        const kind = takesBack[type as keyof typeof takesBack] as string | undefined
        const origins = booked.filter((one) => one.who === who && one.type === kind)
        const origin = origins[step.of % Math.max(1, origins.length)]
        const movement: Movement = {
          type,
          user_id: must(customers[who]).user_id,
          amount,
          description: order,
          ...(/fill_balance$|charge_back/.test(type) ? { provider: 'test' } : {}),
          ...(origin ? { reverses: origin.transaction_id } : {}),
        }
        const rising = rises.includes(type)
        const allowed = kind
          ? origin !== undefined && origin.left >= amount
          : rising || must(balances[who]) >= amount
        if (!allowed) {
          await expect(move(app, movement)).rejects.toThrow()
          continue
        }
        const posted = await move(app, movement)
        balances[who] = must(balances[who]) + (rising ? amount : -amount)
        if (origin) origin.left -= amount
        booked.push({ ...posted, ...step, left: amount })
        expect(posted.balance_after).toBe(balances[who])
      }
      const kept = await Promise.all(customers.map((one) => balanceOf(app, app.db, one.user_id)))
      expect(kept).toEqual(balances)
    }),
    { numRuns: 25 },
  )
  expect((await checkLedger(app.ownerUrl)).damages).toEqual([])
}, 60_000)

it('rule 9: customers who pay at once do not wait for each other: they lock no rows in common', async () => {
  const customers = await Promise.all(Array.from({ length: 10 }, () => signedInCustomer(test)))
  for (const customer of customers) await addMoney(app, customer.user_id, 100_00n)
  const held = await app.pool.connect()
  await held.query('begin')
  await held.query("select set_config('app.actor', 'system', true)")
  await held.query('select balance from balances where user_id = $1 for update', [must(customers[0]).user_id])
  const others = customers
    .slice(1)
    .map(({ user_id }) => move(app, { type: 'spend', user_id, amount: 1n, description: order }))
  await Promise.all(others)
  await held.query('rollback')
  held.release()
})
