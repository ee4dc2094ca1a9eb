import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { anna } from '#app/seed/people.ts'
import { Client as Browser } from '#tests/harness/client.ts'
import { startProduct } from '#tests/start/product.ts'
import { binaries, folder, kill, makePrimary, makeStandby, run, servers, type Server } from './streaming.ts'

const promotions = Number(process.env['PROMOTIONS'] ?? 10)

it.runIf(process.env['OPERATE'] === '1')(
  `a primary that is killed under load ${promotions} times, and its standby promoted: no acknowledged write is lost`,
  async () => {
    expect(binaries, 'apt-get install postgresql').not.toBe('')
    let primary = await makePrimary()
    let standby = await makeStandby(primary)
    const hosts = servers.map(({ port }) => `127.0.0.1:${port}`).join(',')
    const DATABASE_URL = `postgres://hostdesk@${hosts}/hostdesk?target_session_attrs=read-write`
    const settings = {
      DATABASE_URL,
      DATA_DIR: path.join(folder, 'files'),
      RATE_LIMIT_SCALE: '1000000',
      LOG_LEVEL: 'warn',
    }
    const product = await startProduct({ settings })
    const browser = new Browser(product.url)
    const { email, password } = anna
    expect((await browser.post('/api/allauth/app/v1/auth/login', { email, password })).status).toBe(200)
    const opened = await browser.post<{ id: string }>('/api/tickets/', {
      subject: 'Written during a failover',
      topic: 'technical',
      message: 'first',
      client_id: randomUUID(),
    })
    expect([opened.status, opened.body], JSON.stringify(opened.body)).toEqual([201, expect.anything()])
    const load = writeForEver(browser, opened.body.id)
    const backAfter_ms: number[] = []
    for (let turn = 0; turn < promotions; turn += 1) {
      const before = load.acknowledged.length
      await expect.poll(() => load.acknowledged.length, { timeout: 30_000 }).toBeGreaterThan(before + 30)
      await kill(primary)
      const promoted = performance.now()
      run('pg_ctl', ['promote', '-D', standby.data, '-w'])
      const afterPromotion = load.acknowledged.length
      await expect
        .poll(() => load.acknowledged.length, { timeout: 30_000, interval: 20 })
        .toBeGreaterThan(afterPromotion)
      backAfter_ms.push(Math.round(performance.now() - promoted))
      const left = primary
      primary = standby
      standby = await makeStandby(primary, left)
    }
    await load.stop()
    const kept = await keptMessages(primary)
    const lost = load.acknowledged.filter((text) => !kept.has(text))
    process.stdout.write(
      `${load.acknowledged.length} writes acknowledged, ${lost.length} lost, ${load.refused} refused meanwhile; back after ${backAfter_ms.join(', ')} ms\n`,
    )
    expect(lost).toEqual([])
    expect(Math.max(...backAfter_ms)).toBeLessThan(10_000)
    expect(await product.end()).toBe(0)
  },
  900_000,
)

/** Starts eight writers of messages. A text is acknowledged if its request was answered with 201. */
function writeForEver(browser: Browser, ticket: string) {
  const load = { acknowledged: [] as string[], refused: 0, stop: async () => {} }
  let over = false
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let turn = 0; !over; turn += 1) {
      const message = `writer ${writer}, turn ${turn}`
      const body = { text: message, client_id: randomUUID() }
      const reply = await browser.post(`/api/tickets/${ticket}/messages/`, body).catch(() => undefined)
      if (reply?.status === 201) load.acknowledged.push(message)
      else {
        load.refused += 1
        await sleep(50)
      }
    }
  })
  load.stop = async () => {
    over = true
    await Promise.all(writers)
  }
  return load
}

async function keptMessages({ port }: Server): Promise<Set<string>> {
  const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/hostdesk` })
  await client.connect()
  const { rows } = await client.query<{ row: string }>(
    'select row_to_json(m)::text as row from ticket_messages m',
  )
  await client.end()
  return new Set(rows.flatMap(({ row }) => /writer \d+, turn \d+/.exec(row)?.[0] ?? []))
}
