import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { afterAll, expect, it } from 'vitest'
import { transaction } from '#foundation/server/database/transaction.ts'
import { spawnWorker } from '#tests/harness/spawn-worker.ts'
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
afterAll(() => slow.close())

it('rule 30: kill -9 of the worker in the middle, again and again: every queued mail arrives, as the same mail', async () => {
  const note = mailTemplate('test_note', 'rest', [{}], () => ({ subject: 'A note', paragraphs: ['Hello'] }))
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
    const worker = await spawnWorker(app, { SMTP_URL: smtp })
    await queueSome(25)
    await sleep(100 + Math.random() * 200)
    await worker.kill('unnoticed')
  }
  expect(new Set(answered).size).toBeLessThan(queued.length)
  const last = await spawnWorker(app, { SMTP_URL: smtp })
  const missing = () => queued.filter((id) => !answered.includes(id))
  await expect.poll(missing, { timeout: 60_000, interval: 100 }).toEqual([])
  await expect
    .poll(() => app.db.selectFrom('mails').select('id').where('state', '!=', 'sent').execute(), {
      timeout: 10_000,
    })
    .toEqual([])
  // A mail goes out twice only if its worker died between the 250 of the mail server and the record of it. A worker sends fewer than four
  // mails at once.
  expect(answered.length - queued.length).toBeLessThanOrEqual(kills * 4)
  await last.kill()
}, 180_000)
