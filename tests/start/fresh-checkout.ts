import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { checkout } from '#tests/architecture/rules/tree.ts'

/**
 * Copies the files of the repository as a fresh clone has them, without anything that was built of them, and links its packages one by one,
 * so that the files that Vite prepares of packages stay in the copy.
 */
export function copyFreshCheckout(to: string): void {
  for (const file of checkout().paths) cpSync(file, path.join(to, file), { recursive: true })
  mkdirSync(path.join(to, 'node_modules'))
  for (const name of readdirSync('node_modules').filter((name) => !name.startsWith('.')))
    symlinkSync(path.resolve('node_modules', name), path.join(to, 'node_modules', name))
}
