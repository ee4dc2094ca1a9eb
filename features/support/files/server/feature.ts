import type { Handler } from '#foundation/server/http/handler.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { userDeactivated } from '#features/profile/contract.ts'
import { on } from '#foundation/server/events.ts'
import * as downloads from './downloads.ts'
import * as files from './files.ts'
import { changeStorage, getStorage } from './storage.ts'
import { removeLeftovers, sweepAttachments } from './sweeping.ts'
import { deleteAttachmentsOf } from './file-queries.ts'

export const routes: readonly Handler[] = [
  files.uploadAttachment,
  downloads.getAttachment,
  downloads.getPreview,
  getStorage,
  changeStorage,
]

export const jobs: readonly Job[] = [
  cronJob(jobKind('remove_leftover_files', 'rest'), 60, removeLeftovers),
  cronJob(jobKind('sweep_attachments', 'rest'), 3600, (app) => sweepAttachments(app)),
]

export const reactions = [on(userDeactivated, (_app, tx, { user_id }) => deleteAttachmentsOf(tx, user_id))]
