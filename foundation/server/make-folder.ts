import fs from 'node:fs'
import path from 'node:path'
import { errorCode } from '#foundation/server/error-code.ts'

/** Makes `folder` and its missing parent folders. Node's own `recursive` option never returns below /proc and similar file systems. */
export function makeFolder(folder: string, mode: number): void {
  if (fs.existsSync(folder)) return
  makeFolder(path.dirname(folder), mode)
  try {
    fs.mkdirSync(folder, { mode })
  } catch (error) {
    // Another process starting at the same time was faster.
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
