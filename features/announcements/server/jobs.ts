import { job, type Job } from '#foundation/server/jobs/jobs.ts'
import { DELIVER, deliver } from './deliver.ts'

export const jobs: readonly Job[] = [job(DELIVER, deliver)] as readonly Job[]
