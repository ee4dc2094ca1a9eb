import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildIfStale } from '#tools/build.ts'
import { launchProduct } from './launched.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A data folder that the product has filled with demo data. Tests copy it and never use it itself. */
    seededFolder: string
  }
}

/**
 * Makes, once for each run and as the owner of the checkout, the pages and a data folder with demo data, both of which take longer to make
 * than most tests. The tests also start the product as users who may not build the pages.
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
