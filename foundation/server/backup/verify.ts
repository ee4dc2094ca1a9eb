import {
  backupSums,
  isBucketList,
  keyOfFile,
  linesIn,
  openArchive,
  SECRET_KEY,
  SUMS,
  tableOf,
  type BackupHead,
  type BackupSums,
} from './archive.ts'
import { sumTextOf } from './backup.ts'
import type { OpenedBy } from './encryption.ts'
import { Summing, type Sum } from './sums.ts'

type Verified = { head: BackupHead; sums: BackupSums; rows: number; hasKeys: boolean }

/**
 * Reads a whole archive and compares all that it holds with the sums at its end. Throws Error with what is wrong: cut short,
 * damaged, or encrypted for another key.
 */
export async function verifyBackup(
  file: string,
  by: OpenedBy,
  progress: (rows: number) => void = () => {},
): Promise<Verified> {
  const { head, entries } = await openArchive(file, by)
  const tables = new Map<string, Summing>()
  const [files, bucket] = [new Summing(), new Summing()]
  let said: BackupSums | undefined
  let hasKeys = false
  let rows = 0
  for await (const { name, body } of entries) {
    const table = tableOf(name)
    const key = keyOfFile(name)
    if (table !== undefined) {
      const sum = tables.get(table) ?? new Summing()
      tables.set(table, sum)
      const lines = linesIn(body)
      for (const line of lines) sum.add(line)
      rows += lines.length
      progress(rows)
    } else if (key !== undefined) files.add(sumTextOf(key, body))
    else if (isBucketList(name)) for (const line of linesIn(body)) bucket.add(line)
    else if (name === SECRET_KEY) hasKeys = true
    else if (name === SUMS) said = backupSums.parse(JSON.parse(body.toString()))
  }
  if (!said) throw new Error('The backup is cut short.')
  const found = { ...said, files: files.value, bucket: bucket.value, tables: sumsOf(tables, said) }
  const damaged = [
    ...differences(said.tables, found.tables),
    ...(isSame(said.files, found.files) ? [] : ['files']),
    ...(isSame(said.bucket, found.bucket) ? [] : ['list of the bucket']),
  ]
  if (damaged.length > 0) throw new Error(`The backup is damaged: ${damaged.join(', ')}.`)
  return { head, sums: said, rows, hasKeys }
}

/** The sums of the tables. A table without rows has no entry in the archive, and gets the sum of no rows. */
const sumsOf = (tables: Map<string, Summing>, said: BackupSums): Record<string, Sum> => ({
  ...Object.fromEntries(Object.keys(said.tables).map((table) => [table, new Summing().value])),
  ...Object.fromEntries([...tables].map(([table, sum]) => [table, sum.value])),
})

/** Returns the names of the tables whose rows differ between the two sides, sorted. */
export function differences(one: Record<string, Sum>, other: Record<string, Sum>): string[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  const none = new Summing().value
  return [...names].filter((name) => !isSame(one[name] ?? none, other[name] ?? none)).toSorted()
}

const isSame = (one: Sum, other: Sum): boolean => one.count === other.count && one.sum === other.sum
