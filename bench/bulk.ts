import { people } from '#app/seed/people.ts'
import { login } from '#features/auth/contract.ts'
import { giveCredit } from '#features/finance/contract.ts'
import { orderBulk, previewBulk } from '#features/sales/bulk-orders.ts'
import { getProfile } from '#features/profile/contract.ts'
import { must } from '#foundation/must.ts'
import { Client } from '#tests/harness/client.ts'
import { makeDataDir, startProduct } from '#tests/system/product-process.ts'
import type { Figure } from '#tools/figures/table.ts'

const SERVERS = 200
const TIMES = 2
const plan = 'starter-month'

/** Measures over HTTP how long a bulk renewal of 200 servers of one customer takes, and its preview. */
export async function measureBulk(): Promise<Figure[]> {
  const { dataDir, remove } = makeDataDir()
  const settings = { DEMO: 'on', RATE_LIMIT_SCALE: '1000000', STAFF_APPROVALS: 'off', BALANCE_CAP: '100000' }
  const product = await startProduct({ dataDir, settings })
  try {
    const [customer, staff] = [new Client(product.url), new Client(product.url)]
    await signIn(customer, 'anna@example.com')
    await signIn(staff, 'olivia@example.com')
    const profile = await customer.call(getProfile, {})
    const credit = await staff.call(giveCredit, {
      params: { userId: profile.body.id },
      headers: { 'idempotency-key': 'bench-credit' },
      body: { amount: '5000000', reason: 'bench' },
    })
    if (credit.status !== 201) throw new Error(`the credit answers ${JSON.stringify(credit.body)}`)
    const host_ids: string[] = []
    for (const half of [0, 1]) {
      const hosts = Array.from({ length: SERVERS / 2 }, (_, place) => ({ ipv4: `10.9.${half}.${place}` }))
      host_ids.push(...(await act(customer, { act: 'order', hosts, plan })).ids)
    }
    const times: number[] = []
    const previews: number[] = []
    for (let time = 0; time < TIMES; time += 1) {
      const done = await act(customer, { act: 'renew', host_ids })
      times.push(done.took_ms)
      previews.push(done.preview_ms)
    }
    return [
      { name: 'bulk, 200 renewals in one act', value: Math.max(...times) / 1000, unit: 's', most: 2 },
      { name: 'bulk, preview of 200 renewals', value: Math.max(...previews) / 1000, unit: 's', most: 1 },
    ]
  } finally {
    await product.stop()
    remove()
  }
}

async function signIn(client: Client, address: string): Promise<void> {
  const { email, password } = must(people.find(({ email: theirs }) => theirs === address))
  const reply = await client.call(login, { body: { email, password } })
  if (reply.status !== 200) throw new Error(`sign-in answered ${reply.status}`)
}

async function act(
  client: Client,
  body: { act: 'order' | 'renew'; hosts?: { ipv4: string }[]; host_ids?: string[]; plan?: string },
) {
  const begun = performance.now()
  const shown = await client.call(previewBulk, { body })
  if (shown.status !== 200 || shown.body.refused.length > 0)
    throw new Error(`the preview answers ${JSON.stringify(shown.body)}`)
  const asked = performance.now()
  const { expected_total } = shown.body
  const done = await client.call(orderBulk, {
    headers: { 'idempotency-key': crypto.randomUUID() },
    body: { ...body, expected_total },
  })
  if (done.status !== 200) throw new Error(`the bulk answers ${JSON.stringify(done.body).slice(0, 500)}`)
  const ids = done.body.servers.map(({ id }) => id)
  return { ids, took_ms: performance.now() - asked, preview_ms: asked - begun }
}
