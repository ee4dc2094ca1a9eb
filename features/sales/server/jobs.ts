import { RENEW_NOW, RENEWAL_STEP } from '#features/licences/server/licences.ts'
import { job, type Job } from '#foundation/server/jobs/jobs.ts'
import { renewNow, renewTogether, runRenewalStep } from './renew.ts'

export const jobs: readonly Job[] = [
  job(RENEWAL_STEP, runRenewalStep, renewTogether),
  job(RENEW_NOW, renewNow),
]
