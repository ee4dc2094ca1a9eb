// Writes the files of database/schema and foundation/server/database/tables.ts from a freshly migrated database: `npm run schema`.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { startEmbedded } from '#foundation/server/database/embedded.ts'
import { migrate } from '#foundation/server/database/migrate.ts'
import { describeSchema, FOLDER } from './describe-schema.ts'
import { narrowTypes } from './table-unions.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-schema-'))
// PostgreSQL runs as another user than root, and must be able to enter the folder.
chmodSync(folder, 0o755)
const postgres = await startEmbedded({ dataDir: folder, fast: true })
try {
  await migrate(postgres.url)
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  try {
    const files = await describeSchema(client)
    rmSync(FOLDER, { recursive: true, force: true })
    mkdirSync(FOLDER)
    for (const [file, text] of files) writeFileSync(file, text)
    writeTypes(postgres.url, [...files.values()].join('\n'))
  } finally {
    await client.end()
  }
} finally {
  await postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}

function writeTypes(url: string, schema: string): void {
  const mapping = { int8: 'ColumnType<bigint, bigint | number, bigint | number>', inet: 'string' }
  execFileSync('node_modules/.bin/kysely-codegen', [
    '--url',
    url,
    '--dialect',
    'postgres',
    '--out-file',
    'foundation/server/database/tables.ts',
    '--include-pattern',
    'public.*',
    '--type-mapping',
    JSON.stringify(mapping),
    '--custom-imports',
    '{"ColumnType":"kysely#ColumnType"}',
    '--log-level',
    'error',
  ])
  const types = readFileSync('foundation/server/database/tables.ts', 'utf8')
  writeFileSync(
    'foundation/server/database/tables.ts',
    narrowTypes(types.replace('export interface DB {', 'export interface Database {'), schema),
  )
}
