import type { Handler } from '#foundation/server/http/handler.ts'
import { job, type Job } from '#foundation/server/jobs/jobs.ts'
import type { ApprovableAct } from '#foundation/server/approvals/approvable-act.ts'
import { publication, recipients, resolution, publishAct } from './publish.ts'
import { notices, publicNotices } from './read.ts'
import { downloadNewsReaders } from './news-readers.ts'
import { create, list, update } from './write.ts'
import { DELIVER, deliver } from './deliver.ts'

export const routes: readonly Handler[] = [
  list,
  create,
  update,
  recipients,
  publication,
  resolution,
  notices,
  publicNotices,
  downloadNewsReaders,
]

export const jobs: readonly Job[] = [job(DELIVER, deliver)] as readonly Job[]

/** A mail to more than a hundred customers needs a second person. */
export const approvable: readonly ApprovableAct[] = [publishAct]
