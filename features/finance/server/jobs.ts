import { job, type Job } from '#foundation/server/jobs/jobs.ts'
import { TELL_BALANCE, tellBalance } from './balance-news.ts'

export const jobs: readonly Job[] = [job(TELL_BALANCE, tellBalance)]
