import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { Load, LoadOptions } from './load-options.ts'

/** Sends the load from another process (load.ts). Returns the figures of that process. */
export async function runLoad(options: LoadOptions): Promise<Load> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdesk-load-'))
  const file = path.join(folder, 'options.json')
  try {
    // A thousand callers are too many for a command line.
    writeFileSync(file, JSON.stringify(options))
    const { stdout } = await promisify(execFile)(process.execPath, ['bench/load.ts', file], {
      maxBuffer: 10_000_000,
    })
    return JSON.parse(stdout) as Load
  } finally {
    rmSync(folder, { recursive: true })
  }
}
