import fs from 'node:fs'
import path from 'node:path'

/**
 * Returns the newest cluster of an earlier PostgreSQL below `base`; undefined if there is none, or if there is a cluster of the present
 * PostgreSQL.
 */
export function formerCluster(base: string): { cluster: string; version: string } | undefined {
  if (!fs.existsSync(base) || fs.existsSync(path.join(base, PRESENT, 'PG_VERSION'))) return undefined
  return fs
    .readdirSync(base)
    .filter((name) => /^pg\d+$/.test(name) && fs.existsSync(path.join(base, name, 'PG_VERSION')))
    .map((name) => ({ cluster: path.join(base, name), version: name.slice(2) }))
    .toSorted((one, other) => Number(other.version) - Number(one.version))[0]
}

/** The name of the folder with the cluster of the PostgreSQL that this release brings. */
export const PRESENT = 'pg18'
