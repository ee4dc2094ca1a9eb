import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { anna, people } from '#app/seed/people.ts'
import { seedDemo } from '#app/seed/seed-demo.ts'
import { must } from '#foundation/must.ts'
import { Secret } from '#foundation/server/secret.ts'
import type { Storage } from '#foundation/server/storage/store.ts'
import { openStorage } from '#foundation/server/storage/storage.ts'
import { databaseUrl } from '#tests/harness/database-for-the-run.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { backUp, type Wanted } from './backup.ts'
import { backupFigures } from './figures.ts'
import { restore } from './restore.ts'
import { scheduledBackup } from './scheduled.ts'
import { verifyBackup } from './verify.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-backup-'))
const file = path.join(folder, 'plain.backup')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { app, api } = await startTestApp()
await seedDemo(app)
const wanted: Wanted = { ownerUrl: app.ownerUrl, file, storage: app.storage, isInBucket: false }

async function ask<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(statement)).rows
  } finally {
    await client.end()
  }
}

async function emptyDatabase(): Promise<string> {
  const name = `restored_${Math.random().toString(36).slice(2)}`
  await ask(inject('adminUrl'), `create database ${name} owner hostdesk`)
  return databaseUrl(inject('adminUrl'), 'hostdesk', name)
}

const storageIn = (name: string) => openStorage({ bucket: undefined, dataDir: path.join(folder, name) })

async function filesIn(storage: Storage): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { key } of storage.list()) {
    const opened = await storage.open(key)
    found[key] = Buffer.concat(((await opened?.toArray()) ?? []) as Buffer[]).toString('base64')
  }
  return found
}

const everything = `select (select json_agg(u order by u.id) from users u)::text || (select json_agg(p order by p.user_id) from passwords p)::text
  || (select json_agg(s order by s.id) from sessions s)::text || (select json_agg(a order by a.id) from audit a)::text
  || (select json_agg(j order by j.id) from jobs j)::text as all`

it('a backup whose rows cannot be read fails and leaves no file, and the process goes on', async () => {
  const broken = path.join(folder, 'broken.backup')
  for (const sealedFor of [undefined, { passphrase: 'correct horse' }])
    await expect(
      backUp({ ...wanted, ownerUrl: await emptyDatabase(), file: broken, sealedFor }),
    ).rejects.toThrow('"migrations" does not exist')
  expect([existsSync(broken), existsSync(`${broken}.incomplete`)]).toEqual([false, false])
})

it('rule 49: brings back rows, jobs and files, to the last digit, under the same guards', async () => {
  await api.post('/api/allauth/app/v1/auth/login', { email: anna.email, password: anna.password })
  const sums = await backUp(wanted)
  expect(sums.tables['users']?.count).toBeGreaterThan(people.length - 1)
  expect(sums.files.count).toBeGreaterThan(3)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await backupFigures.read(app.db)).toContainEqual({
    metric: 'hostdesk_backup_last_bytes',
    value: statSync(file).size,
  })
  const url = await emptyDatabase()
  const storage = storageIn('restored')
  const restored = await restore({ ownerUrl: url, file, by: {}, storage, compare: true })
  expect(restored).toMatchObject({ files: sums.files.count, missing: [], sums })
  expect(await ask(url, everything)).toEqual(await ask(app.ownerUrl, everything))
  expect(await filesIn(storage)).toEqual(await filesIn(app.storage))

  // New rows continue the numbers, references still hold, and append-only tables still refuse to delete.
  const next = "insert into audit (act) values ('test') returning id"
  expect(await ask(url, next)).toEqual(await ask(app.ownerUrl, next))
  await expect(ask(url, 'delete from audit')).rejects.toThrow('append-only')
  const references = "select count(*)::int as count from pg_constraint where contype = 'f'"
  expect(await ask(url, references)).toEqual(await ask(app.ownerUrl, references))
  const guards = "select count(*)::int as count from pg_trigger where tgenabled = 'D' and not tgisinternal"
  expect(await ask(url, guards)).toEqual([{ count: 0 }])
  const forced = 'select count(*)::int as count from pg_class where relforcerowsecurity'
  expect(await ask(url, forced)).toEqual(await ask(app.ownerUrl, forced))
  const indices = "select indexdef from pg_indexes where schemaname = 'public' order by indexdef"
  expect(await ask(url, indices)).toEqual(await ask(app.ownerUrl, indices))
  // The planner knows the tables without waiting for autovacuum.
  const known = "select reltuples::int as rows from pg_class where relname = 'users'"
  expect(await ask(url, known)).toEqual([{ rows: sums.tables['users']?.count }])
})

it('rule 49: a restore that compares says which table lost a row on the way', async () => {
  const url = await emptyDatabase()
  // A database that loses rows of one table, as a faulty disk or extension may.
  await ask(
    inject('adminUrl').replace(/(@[^/]*\/)[^?]+/, `$1${must(/@\/([^?]+)/.exec(url)?.[1])}`),
    `create schema lossy; grant usage on schema lossy to public;
     create function lossy.lose() returns event_trigger language plpgsql as $$ begin
       if exists (select from pg_event_trigger_ddl_commands() where object_identity = 'public.canned_replies') then
         create rule lose as on insert to public.canned_replies where new.language = 'de' do instead nothing;
       end if; end $$;
     create event trigger lossy on ddl_command_end when tag in ('CREATE TABLE') execute function lossy.lose()`,
  )
  await expect(restore({ ownerUrl: url, file, by: {}, compare: true })).rejects.toThrow(
    'Restored rows differ from the backup: canned_replies',
  )
})

it('verifies a backup, and says what is wrong with another', async () => {
  expect(await verifyBackup(file, {})).toMatchObject({ hasKeys: false, sums: { gone: 0 } })
  const other = path.join(folder, 'other.backup')
  const refused = async (bytes: Buffer | string, said: string) => {
    writeFileSync(other, bytes)
    await expect(verifyBackup(other, {})).rejects.toThrow(said)
    await expect(restore({ ownerUrl: await emptyDatabase(), file: other, by: {} })).rejects.toThrow(said)
  }
  await refused(gzipSync('hello\n'), 'no backup of Hostdesk')
  await refused('not even gzip', 'no backup of Hostdesk')
  const plain = gunzipSync(readFileSync(file))
  await refused(gzipSync(plain.subarray(0, plain.length / 2)), 'cut short')
  const damaged = Buffer.from(plain)
  damaged.write('eve@', damaged.indexOf('anna@'))
  await refused(gzipSync(damaged), 'damaged: ')
  const foreign = Buffer.from(plain)
  foreign.write('x', foreign.indexOf('"baseline":"') + '"baseline":"'.length)
  writeFileSync(other, gzipSync(foreign))
  await expect(restore({ ownerUrl: await emptyDatabase(), file: other, by: {} })).rejects.toThrow(
    'The backup was made by another commit',
  )
  await expect(verifyBackup(path.join(folder, 'nowhere'), {})).rejects.toThrow('ENOENT')
  await expect(restore({ ownerUrl: app.ownerUrl, file, by: {} })).rejects.toThrow('not empty')
})

it('encrypts for a key of age or by a passphrase, with the key of the installation where that is asked for', async () => {
  const identity = await generateX25519Identity()
  const identityFile = path.join(folder, 'identity.txt')
  writeFileSync(identityFile, `# created: today\n${identity}\n`)
  const secretKey = new Secret('the key of then')
  const sealed = { ...wanted, file: path.join(folder, 'sealed.backup'), secretKey }
  await expect(backUp(sealed)).rejects.toThrow('only written to a backup that is encrypted')
  await backUp({ ...sealed, sealedFor: { recipients: [await identityToRecipient(identity)] } })
  expect(readFileSync(sealed.file).toString('latin1')).toMatch(/^age-encryption\.org\/v1\n/)
  await expect(verifyBackup(sealed.file, {})).rejects.toThrow('Set BACKUP_PASSPHRASE, or name the file')
  await expect(verifyBackup(sealed.file, { passphrase: 'another' })).rejects.toThrow(
    'another key or passphrase',
  )
  expect(await verifyBackup(sealed.file, { identityFile })).toMatchObject({ hasKeys: true })
  const kept: string[] = []
  const keepKey = async (key: string) => void kept.push(key)
  const ownerUrl = await emptyDatabase()
  await restore({ ownerUrl, file: sealed.file, by: { identityFile }, keepKey })
  expect(kept).toEqual(['the key of then'])
  await backUp({ ...sealed, sealedFor: { passphrase: 'some words that nobody knows' } })
  expect(await verifyBackup(sealed.file, { passphrase: 'some words that nobody knows' })).toBeTruthy()
})

it('lists what the bucket must hold, and says what it lacks', async () => {
  const listed = path.join(folder, 'listed.backup')
  const { bucket, files } = await backUp({ ...wanted, file: listed, isInBucket: true })
  expect([bucket.count > 3, files.count]).toEqual([true, 0])
  const { missing } = await restore({
    ownerUrl: await emptyDatabase(),
    file: listed,
    by: {},
    storage: storageIn('bucket'),
  })
  expect(missing).toHaveLength(bucket.count)
})

it('backs up by itself, and keeps as many as it shall', async () => {
  const dir = path.join(folder, 'scheduled')
  mkdirSync(dir)
  const scheduled = { dir, every_h: 24, keep: 2, sealedFor: undefined }
  const planned = { ...app, config: { ...app.config, backup: scheduled } }
  const at = (day: number) => new Date(Date.UTC(2026, 0, day))
  const made = []
  for (const day of [1, 1, 2, 3]) made.push(await scheduledBackup(planned, at(day)))
  expect(made).toEqual([
    'hostdesk-2026-01-01T00-00-00Z.backup',
    undefined,
    'hostdesk-2026-01-02T00-00-00Z.backup',
    'hostdesk-2026-01-03T00-00-00Z.backup',
  ])
  const kept = made.slice(2).map((name) => path.join(dir, name ?? ''))
  for (const one of kept) expect(await verifyBackup(one, {})).toMatchObject({ hasKeys: false })
  await expect(verifyBackup(path.join(dir, made[0] ?? ''), {})).rejects.toThrow('ENOENT')
  expect(await ask(app.ownerUrl, 'select file from backups order by id desc limit 1')).toEqual([
    { file: kept[1] },
  ])
  // While the clock ran ahead, two were made that seem to be of next year: they neither hinder the next nor outlive it.
  for (const day of [1, 2]) writeFileSync(path.join(dir, `hostdesk-2027-01-0${day}T00-00-00Z.backup`), '')
  expect(await scheduledBackup(planned, at(4))).toBe('hostdesk-2026-01-04T00-00-00Z.backup')
  expect(readdirSync(dir).toSorted()).toEqual([
    'hostdesk-2026-01-03T00-00-00Z.backup',
    'hostdesk-2026-01-04T00-00-00Z.backup',
  ])
})

// Seen red: the half of a backup whose process was killed stayed for ever, as large as a backup.
it('removes what backups that were cut off left, and nothing that is still written', async () => {
  const dir = path.join(folder, 'cut-off')
  mkdirSync(dir)
  const scheduled = { dir, every_h: 24, keep: 2, sealedFor: undefined }
  const planned = { ...app, config: { ...app.config, backup: scheduled } }
  const written = 'hostdesk-2026-01-03T00-00-00Z.backup.incomplete'
  const untouched = [
    'hostdesk-2026-01-01T00-00-00Z.backup.incomplete',
    'hostdesk-2026-01-02T00-00-00Z.backup.incomplete',
    'mine.backup.incomplete',
  ]
  for (const name of [written, ...untouched]) writeFileSync(path.join(dir, name), 'half')
  const old = Date.now() / 1000 - 3700
  for (const name of untouched) utimesSync(path.join(dir, name), old, old)
  const made = await scheduledBackup(planned, new Date(Date.UTC(2026, 0, 4)))
  expect(readdirSync(dir).toSorted()).toEqual([written, made, 'mine.backup.incomplete'])
})

it('holds no password and no token in clear (rule 15)', () => {
  const text = gunzipSync(readFileSync(file)).toString()
  for (const { password } of people) expect(text).not.toContain(password)
  expect(text).not.toContain(api.session_token)
})
