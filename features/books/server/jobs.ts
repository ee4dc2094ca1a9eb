import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, job, type Job } from '#foundation/server/jobs/jobs.ts'
import { giveUpExport, MAKE_EXPORT, makeExport, removeOldExports } from './exports/make.ts'

const REMOVE_OLD_EXPORTS = jobKind('remove_old_exports', 'rest')

export const jobs: readonly Job[] = [
  { ...job(MAKE_EXPORT, makeExport), gaveUp: giveUpExport },
  cronJob(REMOVE_OLD_EXPORTS, 3_600, removeOldExports),
] as readonly Job[]
