import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import { openContent } from '#foundation/server/mail/outbox.ts'
import { backUp } from '#foundation/server/backup/backup.ts'
import type { TestApp } from './test-app.ts'

type Place = 'rows' | 'mails' | 'files' | 'log' | 'backup'

/**
 * Returns the places of an installation in which a text stands: rows of any table, mails that are kept (they are sealed, so they are opened),
 * files of the data folder, log lines, and a backup made now.
 */
export async function placesOf(test: TestApp, text: string): Promise<Place[]> {
  const rows = await everyRow(test.app.ownerUrl)
  const mails = await test.app.db.selectFrom('mails').select(['id', 'content']).execute()
  const held: Record<Place, readonly string[]> = {
    rows,
    mails: mails.map(({ id, content }) => JSON.stringify(content && openContent(test.app, id, content))),
    files: filesBelow(test.app.config.dataDir),
    log: test.logged.map((line) => JSON.stringify(line)),
    backup: [await backupOf(test)],
  }
  const escaped = JSON.stringify(text).slice(1, -1)
  const places = Object.keys(held) as Place[]
  return places.filter((place) => held[place].some((each) => each.includes(text) || each.includes(escaped)))
}

/** Returns every row of all tables as text, except those of PostgreSQL's own schemas, each after the name of its table. */
export async function everyRow(ownerUrl: string): Promise<string[]> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    const tables = await owner.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')",
    )
    const rows: string[] = []
    for (const { name } of tables.rows) {
      const found = await owner.query<{ text: string }>(`select row_to_json(t)::text as text from ${name} t`)
      rows.push(...found.rows.map((row) => `${name} ${row.text}`))
    }
    return rows
  } finally {
    await owner.end()
  }
}

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => `${file} ${readFileSync(file, 'latin1')}`)

async function backupOf({ app }: TestApp): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-trace-'))
  try {
    const file = path.join(folder, 'next-day.backup')
    await backUp({ ownerUrl: app.ownerUrl, file, storage: app.storage, isInBucket: false })
    return gunzipSync(readFileSync(file)).toString('latin1')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
