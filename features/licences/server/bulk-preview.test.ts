import { expect, it } from 'vitest'
import { must } from '#foundation/must.ts'
import { newServers, paidServers, previewOf } from '#tests/harness/bulk.ts'
import { asOwner, bodyOf } from '#tests/harness/hosts.ts'
import { buyer, stockShop } from '#tests/harness/shop.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

const test = await startTestApp()
await stockShop(test)

it('L-28 a preview of 20 new servers starts each of them at once, whatever servers other customers have', async () => {
  const other = await buyer(test, 20_000n)
  await paidServers(other, 3)
  const rows = (await asOwner(test, 'select id from hosts order by id limit 1')) as { id: string }[]
  expect(Number(must(rows[0]).id)).toBeLessThan(20)
  const customer = await buyer(test, 100_000n)
  const wish = { act: 'order' as const, hosts: newServers(20), plan: 'standard-month' }
  const { servers, as_of } = bodyOf(await previewOf(customer, wish), 200)
  expect(new Set(servers.map(({ starts_at }) => starts_at))).toEqual(new Set([as_of]))
})
