import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildIfStale } from '#tools/build.ts'
import { launchProduct } from './launched.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder that the product has filled, and that nobody uses: to be copied. */
    seededFolder: string
  }
}

/**
 * Makes once a run, as the checkout's owner: the pages, since the tests also start the product as users who may not build, and a
 * data folder with demo data, which take longer to make than most of what is tried on them.
 */
export async function setup(project: TestProject): Promise<() => void> {
  await buildIfStale(process.cwd(), () => {})
  const seeded = mkdtempSync(path.join(tmpdir(), 'hostdesk-seeded-'))
  // PostgreSQL runs as another user than root and must be able to enter.
  chmodSync(seeded, 0o755)
  const product = await launchProduct({ dataDir: seeded })
  await product.end()
  project.provide('seededFolder', seeded)
  return () => rmSync(seeded, { recursive: true, force: true, maxRetries: 5 })
}
