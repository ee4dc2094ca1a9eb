import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

type Locked = { dev?: boolean; devOptional?: boolean }

/**
 * Returns the folders of the packages that `npm ci --omit=dev` installs on this machine, by the lockfile: `node_modules/pg`,
 * `node_modules/a/node_modules/b`. npm also installs the packages that an optional peer asks for (`devOptional`).
 */
export function productionPackages(): string[] {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
  return Object.entries(lock.packages)
    .filter(([folder, { dev = false }]) => folder !== '' && !dev && existsSync(folder))
    .map(([folder]) => folder)
}

/** Returns the bytes of a folder on disk, without packages inside of it. */
export function bytesOf(folder: string): number {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const at = path.join(folder, entry.name)
    if (entry.isDirectory()) bytes += entry.name === 'node_modules' ? 0 : bytesOf(at)
    else bytes += lstatSync(at).blocks * 512
  }
  return bytes
}
