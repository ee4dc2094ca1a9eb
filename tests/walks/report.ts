import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'

export type Report = { faults: string[]; titles: string[]; judged: number; opened: number }

const folder = process.env['WALK_REPORT']

/** Tells `npm run test:walks` what was walked, over files, since each worker is a process. */
export const report = {
  isWanted: folder !== undefined,
  writes(walked: Report): void {
    if (folder === undefined) return
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, `${crypto.randomUUID()}.json`), JSON.stringify(walked))
  },
}
