import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { hostRemoved } from '#features/hosts/event-contract.ts'
import { createEndpoint } from '#features/webhooks/contract.ts'
import { record } from '#foundation/server/account-events/record.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { bodyOf } from '#tests/harness/hosts.ts'
import { isSignedBy, openTo, startReceiver, type Got } from '#tests/harness/receiver/receiver.ts'
import { superuserOf } from '#tests/harness/superuser.ts'
import { startTestApp } from '#tests/harness/test-app.ts'

/** The numbers of events and of kills; 100000 and 5 by `npm run test:faults -- webhooks`. */
const EVENTS = Number(process.env['WEBHOOK_EVENTS'] ?? 12)
const KILLS = Number(process.env['KILLS'] ?? 1)
const ENDPOINTS = 10
const MOST_MS = 1_500
const TIME_ms = 120_000 + EVENTS * 100

const test = await startTestApp()
const { app } = test
const superuser = await superuserOf(test)
const receiver = await startReceiver()
openTo(app)
let worker: ChildProcess | undefined
afterAll(async () => {
  worker?.kill('SIGKILL')
  await Promise.all([superuser.end(), receiver.close()])
})

async function startWorkerProcess(): Promise<ChildProcess> {
  const started = spawn(process.execPath, ['tests/harness/receiver/sender-process.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: app.ownerUrl,
      PUBLIC_ORIGIN: app.config.publicOrigin,
      DATA_DIR: app.config.dataDir,
      SECRET_KEY: app.config.secretKey.reveal(),
      DEMO: 'off',
      MOST_MS: String(MOST_MS),
    },
  })
  await once(started.stdout, 'data')
  return started
}

type Reader = { path: string; secret: string; arrived: number[]; forged: number }

it(
  `O-13 ${EVENTS} events to ${ENDPOINTS} programs that fail, hang, cut and die, with ${KILLS} kills of the worker: each once at least, in order, signed`,
  async () => {
    const { api, user_id } = await signedInCustomer(test)
    const readers: Reader[] = []
    let isDead = false
    for (let place = 0; place < ENDPOINTS; place += 1) {
      const path = `/${place}`
      const made = await api.call(createEndpoint, { body: { url: receiver.url(path) } })
      const reader: Reader = { path, secret: bodyOf(made, 201).secret, arrived: [], forged: 0 }
      readers.push(reader)
      receiver.answer(path, (response, got: Got) => {
        receiver.forget(path)
        if (!isSignedBy(reader.secret, got)) reader.forged += 1
        const chance = Math.random()
        if (isDead || chance < 0.05) return void response.destroy()
        if (chance < 0.15) return undefined
        if (chance < 0.35) return void response.writeHead(500).end()
        reader.arrived.push(got.event.seq)
        return void response.writeHead(200).end('{}')
      })
    }
    for (let from = 0; from < EVENTS; from += 100)
      await transaction(app, 'system', async (tx) => {
        for (let number = from; number < Math.min(EVENTS, from + 100); number += 1)
          record(tx, user_id, hostRemoved, { id: 'x', name: `n${number}` })
      })
    const isDone = () => readers.every(({ arrived }) => arrived.at(-1) === EVENTS)
    const all = () => readers.reduce((sum, { arrived }) => sum + arrived.length, 0)
    worker = await startWorkerProcess()
    let kills = 0
    while (!isDone()) {
      // The clock of pauses runs ahead: what failed is due at once.
      await superuser.query('update webhook_lanes set next_at = now() where next_at > now()')
      await sleep(20)
      if (kills < KILLS && all() > ((kills + 1) * EVENTS * ENDPOINTS) / (KILLS + 2)) {
        kills += 1
        worker.kill('SIGKILL')
        await once(worker, 'exit')
        // A program is dead for a while, too.
        isDead = kills === 1
        worker = await startWorkerProcess()
        // Its leases end after 30 s; here they end at once.
        await superuser.query('update webhook_lanes set leased_until = now()')
        if (isDead) await sleep(1_000)
        isDead = false
      }
    }
    expect(kills).toBe(KILLS)
    for (const { path, arrived, forged } of readers) {
      expect([...new Set(arrived)], path).toEqual(Array.from({ length: EVENTS }, (_, place) => place + 1))
      expect(forged, path).toBe(0)
    }
    // A kill may send again what each lane had on its way, which is more than 2 % of a few events.
    const most = Math.max(EVENTS * ENDPOINTS * 0.02, KILLS * ENDPOINTS)
    expect(all() - EVENTS * ENDPOINTS).toBeLessThanOrEqual(most)
  },
  TIME_ms,
)
