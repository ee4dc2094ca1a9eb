import { people } from '#app/seed/people.ts'
import { login } from '#features/auth/contract.ts'
import { giveCredit } from '#features/finance/contract.ts'
import { listPlans } from '#features/licences/contract.ts'
import { getProfile } from '#features/profile/contract.ts'
import { orderHost, refundTransaction } from '#features/sales/contract.ts'
import { must } from '#foundation/must.ts'
import { Client } from '#tests/harness/client.ts'
import { makeDataDir, startProduct } from '#tests/system/product-process.ts'
import { connectCoverage, type Way } from './coverage.ts'

/**
 * Returns the ways that an order and a refund by staff take through the code, over HTTP, without the jobs that they leave: the second of
 * each, because the first fills caches.
 */
export async function measureWays(): Promise<{ order: Way; refund: Way }> {
  const { dataDir, remove } = makeDataDir()
  const settings = { DEMO: 'on', RATE_LIMIT_SCALE: '1000000', STAFF_APPROVALS: 'off', ROLE: 'web' }
  const product = await startProduct({ dataDir, settings, nodeFlags: ['--inspect=127.0.0.1:0'] })
  const coverage = await connectCoverage(must(/ws:\/\/\S+/.exec(product.output()))[0])
  try {
    const [customer, staff] = [
      await signedIn(product.url, 'anna@example.com'),
      await signedIn(product.url, 'olivia@example.com'),
    ]
    const { id: userId } = (await customer.call(getProfile, {})).body
    const credit = { amount: '100000', reason: 'figures' }
    await staff.call(giveCredit, { params: { userId }, headers: key(), body: credit })
    const plans = (await customer.call(listPlans, { query: {} })).body
    const plan = must('items' in plans ? plans.items[0] : undefined)
    let ways: { order: Way; refund: Way } | undefined
    for (const last of [1, 2]) {
      const { way: order, reply } = await coverage.of(() =>
        customer.call(orderHost, {
          headers: key(),
          body: {
            name: 'figures',
            ipv4: `10.8.0.${last}`,
            plan: plan.slug,
            expected_total: plan.price_total,
          },
        }),
      )
      if (reply.status !== 201) throw new Error(`the order answers ${JSON.stringify(reply.body)}`)
      const params = { userId, id: reply.body.transaction.id }
      const { way: refund, reply: refunded } = await coverage.of(() =>
        staff.call(refundTransaction, { params, headers: key(), body: { reason: 'figures' } }),
      )
      if (refunded.status !== 201) throw new Error(`the refund answers ${JSON.stringify(refunded.body)}`)
      ways = { order, refund }
    }
    return must(ways)
  } finally {
    // A process waits at its end for who watches it.
    coverage.close()
    await product.stop()
    remove()
  }
}

const key = () => ({ 'idempotency-key': crypto.randomUUID() })

async function signedIn(url: string, address: string): Promise<Client> {
  const client = new Client(url)
  const { email, password } = must(people.find(({ email: theirs }) => theirs === address))
  const reply = await client.call(login, { body: { email, password } })
  if (reply.status !== 200) throw new Error(`sign-in answered ${reply.status}`)
  return client
}
