import { createHash, randomUUID } from 'node:crypto'
import { bookExact, keepStatements, readFileStatements } from '#features/banking/server/banking.ts'
import { redeemVoucher } from '#features/finance/contract.ts'
import { announceTopUp } from '#features/finance/server/finance.ts'
import { makeVoucher } from '#features/finance/server/vouchers.ts'
import * as licences from '#features/sales/contract.ts'
import { toMoney } from '#foundation/money.ts'
import { must } from '#foundation/must.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { bankStatement } from './bank-statement.ts'
import { callInProcess, codeOf, type Person } from './in-process.ts'
import { anyAddress } from './shop.ts'
import type { TestApp } from './test-app.ts'

// Acts on accounts that pay for each other which need more than one call: what a bank, a member of staff or a helper has a part in.

type Test = Pick<TestApp, 'app'>
type Code = Promise<string | undefined>

const expected_total = toMoney(2368n, 'EUR')
const key = () => ({ 'idempotency-key': randomUUID() })

/** A consumer orders a server, and withdraws from the order at once. */
export async function withdrawAtOnce({ app }: Test, me: Person): Code {
  const operator = { ...app.config.operator, withdrawalUrl: 'https://nordic.example/withdrawal' }
  const selling = { ...app, config: { ...app.config, operator } }
  const order = { name: 'new', ipv4: anyAddress(), plan: 'standard-month', expected_total, begin_now: true }
  const ordered = await callInProcess(selling, me, licences.orderHost, { headers: key(), body: order })
  if (ordered.status !== 201) return codeOf(ordered)
  const params = { hostId: (ordered.body as licences.OrderedHost).host.id }
  const query = { limit: 1 as unknown as string }
  const listed = await callInProcess(app, me, licences.listPaidPeriods, { params, query })
  const { items } = listed.body as { items: licences.PaidPeriod[] }
  // The server may have been given away or removed since its order, and then there is nothing of it to see.
  const order_id = items[0]?.withdrawal?.order_id
  if (order_id === undefined) return 'no_order'
  return codeOf(await callInProcess(app, me, licences.withdrawLicence, { params, body: { order_id } }))
}

/** Both people redeem one voucher at once. */
export async function redeemTogether({ app }: Test, people: readonly Person[]): Code {
  const code = await makeVoucher(app, { amount: 100n, uses: people.length, days: null })
  const redeemed = await Promise.all(
    people.map((person) => callInProcess(app, person, redeemVoucher, { headers: key(), body: { code } })),
  )
  return redeemed.map((answer) => codeOf(answer)).find((refusal) => refusal !== undefined)
}

/** A statement of the bank brings a transfer of each of these people, and all that are exact are booked. */
export async function bookTransfers({ app }: Test, people: readonly Person[]): Promise<void> {
  const texts = await Promise.all(
    people.map(({ user_id }) =>
      transaction(app, 'system', async (tx) => {
        const announced = await announceTopUp(app, tx, { user_id, amount: 2500n, provider: 'bank' })
        return must(announced.reference)
      }),
    ),
  )
  const payments = texts.map((text) => ({ amount: 2500, text, bank_ref: randomUUID() }))
  const bytes = Buffer.from(bankStatement(payments, { id: randomUUID() }))
  const delivery = await readFileStatements(app, bytes)
  const sha256 = createHash('sha256').update(bytes).digest()
  const kept = await transaction(app, 'system', (tx) => keepStatements(tx, delivery, { by: null, sha256 }))
  if (kept.counts.exact < people.length) throw new Error(`the bank brought ${JSON.stringify(kept.counts)}`)
  await bookExact(app, { by: null })
}

/** A helper orders for a server of the owner, whose payer pays it. */
export async function orderAsHelper({ app }: Test, deputy: Person, owner: Person, hostId: string): Code {
  const { acts } = licences.orderLicence.access
  if (typeof acts !== 'object') throw new Error('no helper may order')
  const params = { hostId }
  // Both became helpers after their sessions were read.
  const holder = { ...deputy.actor, holds_grants: true }
  const acting = await must(app.findActing)(app, holder, acts, { account: owner.user_id, params })
  // The server may have been given to the helper meanwhile.
  if (!acting) return 'no_host'
  const asHelper: App = { ...app, acting }
  const body = { plan: 'standard-month', expected_total }
  return codeOf(await callInProcess(asHelper, owner, licences.orderLicence, { params, headers: key(), body }))
}
