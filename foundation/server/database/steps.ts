import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { errorCode } from '#foundation/server/error-code.ts'
import type { Migration } from './run-migration.ts'

const database = fileURLToPath(new URL('../../../database/', import.meta.url))
/** The step that a database begins with: the files of database/baseline, in order. It is the schema of 0.1.0 and never changes. */
export const BASELINE = 'baseline'

/** The steps of this release in the order in which they run: the baseline, then each file of database/migrations. */
export async function allSteps(): Promise<Migration[]> {
  return Promise.all(
    (await stepNames()).map(async (name) => {
      const text =
        name === BASELINE ? await baseline() : await readFile(`${database}migrations/${name}`, 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

export async function stepNames(): Promise<string[]> {
  return [BASELINE, ...(await sqlFiles('migrations'))]
}

/** Functions may name tables of later files, so that PostgreSQL looks into them only when they run. */
async function baseline(): Promise<string> {
  const files = (await sqlFiles('baseline')).map((name) => readFile(`${database}baseline/${name}`, 'utf8'))
  return ['set local check_function_bodies = off;\n', ...(await Promise.all(files))].join('\n')
}

/** The names of the files in order; none where the folder is not there, as before the first migration. */
async function sqlFiles(folder: 'baseline' | 'migrations'): Promise<string[]> {
  const names = await readdir(database + folder).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
  return names.filter((name) => name.endsWith('.sql')).toSorted()
}
