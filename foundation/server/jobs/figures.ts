import type { Figures } from '#foundation/server/operation/figures.ts'
import { countProcesses, queueFigures } from './queries.ts'

/** The queue by kind of job, and the processes that work on it. */
export const jobFigures: Figures = {
  metrics: {
    hostdesk_jobs_due: {
      help: 'Jobs whose time has come and that nobody has taken, at most 100,000.',
      label: 'kind',
    },
    hostdesk_jobs_oldest_seconds: {
      help: 'How long the oldest of the due jobs has been due.',
      label: 'kind',
    },
    hostdesk_jobs_running: { help: 'Jobs that a process is doing.', label: 'kind' },
    hostdesk_jobs_given_up: { help: 'Jobs that failed for the last time and were kept.', label: 'kind' },
    hostdesk_workers: { help: 'Processes that run jobs and are alive.' },
  },
  read: async (db) => {
    const queue = await queueFigures(db)
    const values = queue.flatMap(({ name, due, oldest_s, running, given_up }) => [
      { metric: 'hostdesk_jobs_due', label: name, value: due },
      { metric: 'hostdesk_jobs_oldest_seconds', label: name, value: oldest_s },
      { metric: 'hostdesk_jobs_running', label: name, value: running },
      { metric: 'hostdesk_jobs_given_up', label: name, value: given_up },
    ])
    return [...values, { metric: 'hostdesk_workers', value: await countProcesses(db) }]
  },
}
