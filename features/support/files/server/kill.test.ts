import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { afterAll, expect, it } from 'vitest'
import { Client } from '#tests/harness/client.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { download, upload } from '#tests/harness/upload.ts'
import { keyOf, previewKeyOf } from './stored-names.ts'
import { sweepAttachments } from './sweeping.ts'

const KILLS = 4
const AT_ONCE = 6

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '100000' } })
const { app } = test
const customer = await signedInCustomer(test)
const servers: ChildProcess[] = []
afterAll(() => {
  for (const server of servers) server.kill('SIGKILL')
})

/** Starts another server process on the same database and files. */
async function spawnServer(): Promise<{ url: string; kill: () => Promise<void> }> {
  const server = spawn(process.execPath, ['tests/harness/server-process.ts'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DATABASE_URL: app.ownerUrl,
      PORT: '0',
      PUBLIC_ORIGIN: 'http://localhost:3000',
      DATA_DIR: app.config.dataDir,
      SECRET_KEY: app.config.secretKey.reveal(),
      RATE_LIMIT_SCALE: '100000',
      DEMO: 'off',
    },
  })
  servers.push(server)
  const [url] = (await once(server.stdout, 'data')) as [Buffer]
  return {
    url: url.toString().trim(),
    kill: async () => {
      server.kill('SIGKILL')
      await once(server, 'exit')
    },
  }
}

// Seen red without the sweep (torn files and files without a row stayed for good), and with the row written before the bytes
// (rows without a file).
it('rule 25: kill -9 among uploads, again and again: acknowledged files are there, and nothing is left over', async () => {
  const picture = await sharp({ create: { width: 900, height: 700, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const acknowledged: string[] = []
  let cut = 0
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await spawnServer()
    const api = Object.assign(new Client(server.url), { access_token: customer.api.access_token })
    let alive = true
    const uploading = Array.from({ length: AT_ONCE }, async () => {
      while (alive) {
        const reply = await upload(api, picture, 'picture.png').catch(() => undefined)
        if (reply?.status === 201) acknowledged.push(reply.body.id)
        else cut += 1
      }
    })
    const before = acknowledged.length
    while (acknowledged.length < before + 5) await sleep(5)
    await sleep(Math.random() * 60)
    alive = false
    await server.kill()
    await Promise.all(uploading)
  }
  expect(cut, 'the kills met uploads on their way').toBeGreaterThan(0)
  const orphans = (await keysKept()).length - (await keysNamed()).length
  const torn = readdirSync(app.storage.incoming).length
  process.stdout.write(
    `  ${KILLS} kills: ${acknowledged.length} uploads acknowledged, ${cut} cut, ${torn} torn files and ${orphans} without a row swept\n`,
  )

  // Sweeps stored files as if a day had passed; rows are younger than a day and stay.
  await sweepAttachments(app, 0)
  expect(readdirSync(app.storage.incoming)).toEqual([])
  expect((await keysKept()).toSorted()).toEqual((await keysNamed()).toSorted())
  for (const id of acknowledged) {
    const { status, bytes } = await download(customer.api, id)
    expect([status, bytes.equals(picture)]).toEqual([200, true])
    expect((await download(customer.api, id, 'preview')).status).toBe(200)
  }
}, 120_000)

async function keysKept(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of app.storage.list()) keys.push(key)
  return keys
}

async function keysNamed(): Promise<string[]> {
  const rows = await app.db.selectFrom('attachments').select(['public_id', 'preview_width']).execute()
  return rows.flatMap(({ public_id, preview_width }) => [
    keyOf(public_id),
    ...(preview_width === null ? [] : [previewKeyOf(public_id)]),
  ])
}
