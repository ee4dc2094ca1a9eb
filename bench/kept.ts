import {
  chmodSync,
  closeSync,
  existsSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { Client } from '#tests/harness/client.ts'
import { makeDataDir } from '#tests/system/product-process.ts'

/** A person of a bench, with a client that is signed in as this person. */
export type Person = { user_id: string; api: Client }
export type People = { customers: readonly Person[]; staff: readonly Person[] }

/** A given folder is filled once. `only_fill` fills it without measuring: filling may share the machine, measuring needs it alone. */
export type Keeping = { folder: string | undefined; only_fill: boolean }

/** Returns the folder of a bench's installation: a new one for this run, or a given one, whose tables are filled once for many runs. */
export function benchFolder({ folder }: Keeping): { dataDir: string; remove(): void } {
  if (folder === undefined) return makeDataDir()
  const dataDir = path.resolve(folder)
  mkdirSync(dataDir, { recursive: true })
  // PostgreSQL runs as another user than root and must be able to enter.
  chmodSync(dataDir, 0o755)
  return { dataDir, remove() {} }
}

const person = z.object({ user_id: z.string(), session_token: z.string() })
const people = z.object({ customers: z.array(person), staff: z.array(person) })

/**
 * Returns the people of a folder that was filled before, with their sessions; undefined for a new folder. Reads the files of its tables
 * once, so that they are in the cache of the operating system: otherwise the first requests would measure the disk.
 */
export function keptPeople(dataDir: string, url: string): People | undefined {
  const file = fileIn(dataDir)
  if (!existsSync(file)) return undefined
  for (const table of globSync('postgresql/*/base/*/*', { cwd: dataDir })) readInto(path.join(dataDir, table))
  const kept = people.parse(JSON.parse(readFileSync(file, 'utf8')))
  const signedIn = ({ user_id, session_token }: z.infer<typeof person>): Person => ({
    user_id,
    api: Object.assign(new Client(url), { session_token }),
  })
  return { customers: kept.customers.map(signedIn), staff: kept.staff.map(signedIn) }
}

/** Writes the file of the people once the tables are full: a folder without this file is filled anew. */
export function keepPeople(dataDir: string, { customers, staff }: People): void {
  const kept = ({ user_id, api }: Person) => ({ user_id, session_token: api.session_token })
  writeFileSync(fileIn(dataDir), JSON.stringify({ customers: customers.map(kept), staff: staff.map(kept) }))
}

const chunk = Buffer.alloc(1 << 20)

function readInto(file: string): void {
  const opened = openSync(file, 'r')
  try {
    while (readSync(opened, chunk) > 0);
  } finally {
    closeSync(opened)
  }
}

const fileIn = (dataDir: string): string => path.join(dataDir, 'bench-people.json')
