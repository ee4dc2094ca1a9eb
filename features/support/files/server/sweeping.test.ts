import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import * as tickets from '#features/support/tickets/contract.ts'
import { must } from '#foundation/must.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { signedInCustomer } from '#tests/harness/customer.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { download, upload } from '#tests/harness/upload.ts'
import { keyOf } from './stored-names.ts'
import { removeLeftovers, sweepAttachments } from './sweeping.ts'

const test = await startTestApp({ settings: { RATE_LIMIT_SCALE: '1000' } })
const { app } = test
const customer = await signedInCustomer(test)
const DAY_MS = 86_400_000

const placeOf = (id: string) => path.join(app.config.dataDir, 'files', keyOf(id).slice(0, 2), keyOf(id))
const uploaded = async () => (await upload(customer.api, 'words')).body.id
const makeOld = (at: string) =>
  utimesSync(at, new Date(Date.now() - DAY_MS - 1000), new Date(Date.now() - DAY_MS - 1000))
const age = (id: string) =>
  transaction(app, 'system', (tx) =>
    tx
      .updateTable('attachments')
      .set({ created_at: new Date(Date.now() - DAY_MS - 1000) })
      .where('public_id', '=', id)
      .execute(),
  )

it('rule 25: after a day an unused file goes, row and bytes; a sent one stays', async () => {
  const [unused, young, used] = [await uploaded(), await uploaded(), await uploaded()]
  const body = { subject: 'x', message: 'x', topic: 'technical' as const, attachment_ids: [used] }
  expect((await customer.api.call(tickets.createTicket, { body })).status).toBe(201)
  for (const id of [unused, used]) {
    await age(id)
    makeOld(placeOf(id))
  }
  await sweepAttachments(app)
  expect((await download(customer.api, unused)).status).toBe(404)
  expect(existsSync(placeOf(unused))).toBe(false)
  for (const id of [young, used]) expect((await download(customer.api, id)).status).toBe(200)
})

it('rule 25: bytes that no row names go after a day, and not before: their row may be about to come', async () => {
  const [old, young] = ['a', 'b'].map(() =>
    Buffer.from(randomUUID().replaceAll('-', ''), 'hex').toString('base64url'),
  )
  const seed = await uploaded()
  for (const id of [must(old), must(young)]) {
    const at = path.join(app.storage.incoming, randomUUID())
    writeFileSync(at, 'left by a crash')
    await app.storage.keep(keyOf(id), at)
  }
  makeOld(placeOf(must(old)))
  const [torn, fresh] = ['torn', 'fresh'].map((name) => path.join(app.storage.incoming, name))
  for (const at of [must(torn), must(fresh)]) writeFileSync(at, 'half')
  makeOld(must(torn))
  await sweepAttachments(app)
  expect(
    [placeOf(must(old)), placeOf(must(young)), must(torn), must(fresh), placeOf(seed)].map((at) =>
      existsSync(at),
    ),
  ).toEqual([false, true, false, true, true])
  rmSync(must(fresh))
})

it('leaves other files alone', async () => {
  const foreign = path.join(app.config.dataDir, 'files', 'ab', 'README')
  await uploaded()
  const at = path.join(app.storage.incoming, 'x')
  writeFileSync(at, 'x')
  await app.storage.keep('abababababababab', at)
  writeFileSync(foreign, 'x')
  makeOld(foreign)
  makeOld(path.join(app.config.dataDir, 'files', 'ab', 'abababababababab'))
  await sweepAttachments(app)
  expect(existsSync(foreign)).toBe(true)
})

it('a row whose bytes cannot be removed is tried again', async () => {
  const id = await uploaded()
  await transaction(app, 'system', (tx) => tx.deleteFrom('attachments').where('public_id', '=', id).execute())
  // A folder in place of the file makes the removal fail, as a failing disk would.
  renameSync(placeOf(id), `${placeOf(id)}.kept`)
  const blocked = path.join(placeOf(id), 'x')
  mkdirSync(blocked, { recursive: true })
  await expect(removeLeftovers(app)).rejects.toThrow()
  rmSync(placeOf(id), { recursive: true })
  renameSync(`${placeOf(id)}.kept`, placeOf(id))
  await removeLeftovers(app)
  expect(existsSync(placeOf(id))).toBe(false)
})

it('a storage that cannot be written answers 503 and leaves neither row nor file', async () => {
  const before = await rows()
  const files = path.join(app.config.dataDir, 'files')
  renameSync(files, `${files}.away`)
  writeFileSync(files, 'a file where the folder should be')
  try {
    const refused = await upload<{ status: number }>(customer.api, 'words')
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('30')
  } finally {
    rmSync(files)
    renameSync(`${files}.away`, files)
  }
  expect(await rows()).toBe(before)
  expect(readdirSync(app.storage.incoming)).toEqual([])
  expect((await upload(customer.api, 'words')).status).toBe(201)
})

it('a row that cannot be written takes the bytes with it', async () => {
  const before = await filesKept()
  const owner = new pg.Client({ connectionString: app.ownerUrl })
  await owner.connect()
  await owner.query(
    "alter table attachments add constraint refuse_all check (name <> 'refused.txt') not valid",
  )
  try {
    const refused = await upload<{ status: number }>(customer.api, 'words', 'refused.txt')
    expect(refused.status).toBe(500)
  } finally {
    await owner.query('alter table attachments drop constraint refuse_all')
    await owner.end()
  }
  expect(await filesKept()).toBe(before)
  expect(readdirSync(app.storage.incoming)).toEqual([])
})

const rows = async () => (await app.db.selectFrom('attachments').select('id').execute()).length
async function filesKept(): Promise<number> {
  let count = 0
  for await (const { key } of app.storage.list()) count += key === '' ? 0 : 1
  return count
}
