import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { afterAll, expect, inject, it } from 'vitest'
import { anna, people } from '#app/seed/people.ts'
import { seedDemo } from '#app/seed/seed-demo.ts'
import { databaseUrl } from '#tests/harness/database-for-the-run.ts'
import { startTestApp } from '#tests/harness/test-app.ts'
import { backUp } from './backup.ts'
import { restore } from './restore.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-backup-'))
const file = path.join(folder, 'backup.gz')
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const { app, api } = await startTestApp()
await seedDemo(app)

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

const everything = `select (select json_agg(u order by u.id) from users u)::text || (select json_agg(p order by p.user_id) from passwords p)::text
  || (select json_agg(s order by s.id) from sessions s)::text || (select json_agg(a order by a.id) from audit a)::text as all`

it('brings back what was there, to the last digit, under the same guards', async () => {
  await api.post('/api/allauth/app/v1/auth/login', { email: anna.email, password: anna.password })
  const saved = await backUp(app.ownerUrl, file)
  expect(saved).toBeGreaterThan(people.length * 3)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  const url = await emptyDatabase()
  expect(await restore(url, file)).toBe(saved)
  expect(await ask(url, everything)).toEqual(await ask(app.ownerUrl, everything))

  // The next numbers go on, references hold, and what is append-only still is.
  const next = "insert into audit (act) values ('test') returning id"
  expect(await ask(url, next)).toEqual(await ask(app.ownerUrl, next))
  await expect(ask(url, 'delete from audit')).rejects.toThrow('append-only')
  const references = "select count(*)::int as count from pg_constraint where contype = 'f'"
  expect(await ask(url, references)).toEqual(await ask(app.ownerUrl, references))
  const guards = "select count(*)::int as count from pg_trigger where tgenabled = 'D' and not tgisinternal"
  expect(await ask(url, guards)).toEqual([{ count: 0 }])
  const forced = 'select count(*)::int as count from pg_class where relforcerowsecurity'
  expect(await ask(url, forced)).toEqual(await ask(app.ownerUrl, forced))
})

it('refuses a database that is not empty, a file that is none of ours, and one that was cut short', async () => {
  await expect(restore(app.ownerUrl, file)).rejects.toThrow('not empty')
  const url = await emptyDatabase()
  const other = path.join(folder, 'other.gz')
  writeFileSync(other, gzipSync('hello\n'))
  await expect(restore(url, other)).rejects.toThrow('no backup of Hostdesk')
  writeFileSync(other, 'not even gzip')
  await expect(restore(url, other)).rejects.toThrow()
  await expect(restore(url, path.join(folder, 'nowhere.gz'))).rejects.toThrow('ENOENT')
  const lines = gunzipSync(readFileSync(file)).toString().split('\n')
  writeFileSync(
    other,
    gzipSync(
      lines
        .filter((line) => !line.startsWith('R ') || Math.random() > 0.2)
        .slice(0, -2)
        .join('\n'),
    ),
  )
  await expect(restore(url, other)).rejects.toThrow('cut short')
  expect(await ask(url, 'select from users')).toEqual([])
})

it('holds no password and no token in clear (rule 15)', () => {
  const text = gunzipSync(readFileSync(file)).toString()
  for (const { password } of people) expect(text).not.toContain(password)
  expect(text).not.toContain(api.session_token)
})
