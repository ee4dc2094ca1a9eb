import fs from 'node:fs'
import path from 'node:path'

/** Makes `folder` and what is missing above it. Node's own recursion never ends below /proc and its like. */
export function makeFolder(folder: string, mode: number): void {
  if (fs.existsSync(folder)) return
  makeFolder(path.dirname(folder), mode)
  try {
    fs.mkdirSync(folder, { mode })
  } catch (error) {
    // Another process starting at the same time was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
