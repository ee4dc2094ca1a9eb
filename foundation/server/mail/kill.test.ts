import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { mailTemplate } from './mail-template.ts'
import { enqueueMail } from './outbox.ts'

// A mail server that takes its time, so that a kill meets mails in every state.
const answered: string[] = []
const slow = new SMTPServer({
  disabledCommands: ['AUTH', 'STARTTLS'],
  logger: false,
  onData(stream, _session, callback) {
    let raw = ''
    stream.on('data', (chunk: Buffer) => (raw += chunk.toString()))
    stream.on('end', () => {
      setTimeout(() => {
        answered.push(/^Message-ID: <(.+)@/im.exec(raw)?.[1] ?? '')
        callback()
      }, 60)
    })
  },
})
slow.on('error', () => {})
await new Promise<void>((resolve) => {
  slow.listen(0, '127.0.0.1', () => resolve())
})
const smtp = `smtp://127.0.0.1:${(slow.server.address() as AddressInfo).port}`
const { app } = await startTestApp({ settings: { SMTP_URL: smtp } })
const workers: ChildProcess[] = []
afterAll(() => {
  for (const worker of workers) worker.kill('SIGKILL')
  slow.close()
})

async function spawnWorker(): Promise<ChildProcess> {
  const worker = spawn(process.execPath, ['tests/harness/worker-process.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: app.ownerUrl,
      SMTP_URL: smtp,
      PUBLIC_ORIGIN: 'http://localhost:3000',
      DATA_DIR: app.config.dataDir,
      SECRET_KEY: app.config.secretKey.reveal(),
      DEMO: 'off',
    },
  })
  workers.push(worker)
  await once(worker.stdout, 'data')
  return worker
}

it('rule 30: kill -9 of the worker in the middle, again and again: every queued mail arrives, as the same mail', async () => {
  const note = mailTemplate('test_note', 'rest', () => ({ subject: 'A note', paragraphs: ['Hello'] }))
  const queued: string[] = []
  const queueSome = async (count: number) => {
    for (let n = 0; n < count; n += 1) {
      const to = `kill-${queued.length}@example.com`
      queued.push(
        await transaction(app, 'system', (tx) =>
          enqueueMail(app, tx, { user_id: null, to, locale: 'en', template: note, values: {} }),
        ),
      )
    }
  }
  const kills = 3
  for (let kill = 0; kill < kills; kill += 1) {
    const worker = await spawnWorker()
    await queueSome(25)
    await sleep(100 + Math.random() * 200)
    worker.kill('SIGKILL')
    await once(worker, 'exit')
  }
  expect(new Set(answered).size).toBeLessThan(queued.length)
  const last = await spawnWorker()
  const missing = () => queued.filter((id) => !answered.includes(id))
  await expect.poll(missing, { timeout: 60_000, interval: 100 }).toEqual([])
  await expect
    .poll(() => app.db.selectFrom('mails').select('id').where('state', '!=', 'sent').execute(), {
      timeout: 10_000,
    })
    .toEqual([])
  // A mail goes out twice only if its worker died between the server's 250 and the note of it: four at once, at most.
  expect(answered.length - queued.length).toBeLessThanOrEqual(kills * 4)
  last.kill('SIGKILL')
}, 180_000)
