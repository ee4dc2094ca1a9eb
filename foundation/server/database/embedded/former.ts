import fs from 'node:fs'
import path from 'node:path'

/** The cluster of an earlier PostgreSQL below `base`, where there is none of the present one; else undefined. */
export function formerCluster(base: string): { cluster: string; version: string } | undefined {
  if (!fs.existsSync(base) || fs.existsSync(path.join(base, PRESENT, 'PG_VERSION'))) return undefined
  return fs
    .readdirSync(base)
    .filter((name) => /^pg\d+$/.test(name) && fs.existsSync(path.join(base, name, 'PG_VERSION')))
    .map((name) => ({ cluster: path.join(base, name), version: name.slice(2) }))
    .toSorted((one, other) => Number(other.version) - Number(one.version))[0]
}

/** The folder of the cluster of the PostgreSQL that comes along. */
export const PRESENT = 'pg18'
