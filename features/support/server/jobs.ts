import type { Job } from '#foundation/server/jobs/jobs.ts'
import { jobs as files } from '#features/support/files/server/jobs.ts'
import { jobs as messages } from '#features/support/messages/server/jobs.ts'
import { jobs as tickets } from '#features/support/tickets/server/auto-close.ts'

/** The jobs of all parts of support. */
export const jobs: readonly Job[] = [...tickets, ...files, ...messages]
