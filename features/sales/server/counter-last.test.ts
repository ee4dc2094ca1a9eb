// Measures how long a purchase holds the counter of the invoice numbers, for which every other purchase waits.
import pg from 'pg'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { bookRefund } from './book-refund.ts'
import { updateHost } from '#features/hosts/contract.ts'
import { getInvoice } from '#features/invoices/contract.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { buyer, doLicenceJobs, orderHost, orderLicence, passTime, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
await stockShop(test)

const statements: { by: unknown; text: string }[] = []
const query = pg.Client.prototype.query
beforeEach(() => {
  statements.length = 0
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    const [first] = args
    const text = typeof first === 'string' ? first : String((first as { text?: string }).text)
    statements.push({ by: this, text })
    return Reflect.apply(query, this, args) as never
  })
})
afterEach(() => vi.restoreAllMocks())

/** The statements after the one that took a number, up to the commit. */
function untilCommit(): string[] {
  const taken = statements.filter(({ text }) => text.includes('insert into invoice_counters'))
  expect(taken).toHaveLength(1)
  const later = statements.slice(statements.findIndex(({ text }) => text === taken[0]?.text) + 1)
  const own = later.filter(({ by }) => by === taken[0]?.by).map(({ text }) => text.trim())
  return own.slice(
    0,
    own.findIndex((text) => /^commit/i.test(text)),
  )
}

// Seen red: the order, its invoice, the payment and the host were written and read after the number was taken, 10 statements.
it('rule 13: a purchase takes its number at most two statements before the commit', async () => {
  const customer = await buyer(test, 100_000n)
  const { host, invoice } = bodyOf(await orderHost(customer), 201)
  expect(untilCommit().length).toBeLessThanOrEqual(2)
  statements.length = 0
  bodyOf(await orderLicence(customer, host.id), 201)
  expect(untilCommit().length).toBeLessThanOrEqual(2)
  const read = await customer.api.call(getInvoice, { params: { publicId: invoice.id } })
  expect(bodyOf(read, 200)).toMatchObject({ ...invoice, document_versions: expect.anything() })
})

it('rule 13: a renewal and a refund take theirs as late', async () => {
  const customer = await buyer(test, 100_000n)
  const { host, transaction: paid } = bodyOf(await orderHost(customer), 201)
  await customer.api.call(updateHost, { params: { hostId: host.id }, body: { auto_renew: true } })
  await passTime(test, 31)
  statements.length = 0
  await doLicenceJobs(test)
  expect(untilCommit().length).toBeLessThanOrEqual(2)
  statements.length = 0
  const { user_id } = customer
  await transaction(test.app, { userId: user_id }, (tx) =>
    bookRefund(test.app, tx, { user_id, transaction_id: paid.id, reason: 'Ordered twice' }),
  )
  expect(untilCommit().length).toBeLessThanOrEqual(2)
})
