import { afterAll, expect, it } from 'vitest'
import { tellPresence } from '#features/support/desk/contract.ts'
import { tellTyping } from '#features/support/messages/contract.ts'
import { must } from '#foundation/must.ts'
import { closeStreams } from '#foundation/server/realtime/hub.ts'
import { Client } from '#tests/harness/client.ts'
import { signedInCustomer, signedInStaff } from '#tests/harness/customer.ts'
import { openEvents } from '#tests/harness/events.ts'
import { ownClock } from '#tests/harness/own-clock.ts'
import { sameInstallation, startTestApp } from '#tests/harness/test-app.ts'
import { opened } from '#tests/harness/tickets.ts'
import { makeBreakable, type BreakableDatabase } from './breakable-database.ts'

let database!: BreakableDatabase
const test = await startTestApp({
  settings: { RATE_LIMIT_SCALE: '1000' },
  async through(databaseUrl) {
    database = await makeBreakable(databaseUrl)
    return database.url
  },
})
afterAll(() => database.close())

// Seen red: the connection was taken for open until TCP gave it up, and no signal of another process came meanwhile.
it('rule 29: a LISTEN connection that a firewall has forgotten is replaced, and signals of other processes come again', async () => {
  const [customer, staff] = [await signedInCustomer(test), await signedInStaff(test)]
  const other = await sameInstallation(test)
  const there = Object.assign(new Client(other.url), { access_token: customer.api.access_token })
  const stream = await openEvents(test.url, must(staff.api.access_token))
  await stream.until(({ type }) => type === 'ready')
  // A ticket of its own for each time: a signal of before may still be on its way.
  const comes = async () => {
    const chatId = (await opened(customer)).id
    const here = { params: { chatId }, body: { state: 'here' } } as const
    expect((await staff.api.call(tellPresence, here)).status).toBe(200)
    const tell = async () => {
      expect((await there.call(tellTyping, { params: { chatId } })).status).toBe(204)
      return stream.events.some(({ type, data }) => type === 'typing' && data.chat_id === chatId)
    }
    await expect.poll(tell, { timeout: 30_000, interval: 200 }).toBe(true)
  }
  await comes()
  database.forget('listen live')
  await comes()
  expect(stream.open).toBe(true)
  stream.close()
  await other.close()
})

it('rule 34: a LISTEN connection that a firewall has forgotten does not hold up a stop', async () => {
  database.forget('listen live')
  const took = ownClock()
  await closeStreams(test.app)
  expect(took()).toBeLessThan(4000)
})
