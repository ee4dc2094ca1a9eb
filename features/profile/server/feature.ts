import type { Handler } from '#foundation/server/http/handler.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob, type Job } from '#foundation/server/jobs/jobs.ts'
import { finishAccessReview } from './access-review.ts'
import * as addresses from './addresses.ts'
import * as choices from './choices.ts'
import { downloadData } from './download-data.ts'
import { downloadExport } from './export-link.ts'
import * as mailPreferences from './mail-preferences.ts'
import * as profile from './profile.ts'
import { sweepKeys } from './claim-queries.ts'
import { sweepClaims } from './claims.ts'
import { sweepExports } from './export-queries.ts'
import * as events from '#features/profile/event-contract.ts'

export const routes: readonly Handler[] = [
  profile.getProfile,
  profile.updateProfile,
  finishAccessReview,
  profile.deactivate,
  downloadData,
  downloadExport,
  mailPreferences.getMailPreferences,
  mailPreferences.changeMailPreferences,
  mailPreferences.stopNews,
  choices.listLanguages,
  choices.listCountries,
  addresses.list,
  addresses.add,
  addresses.resend,
  addresses.makePrimary,
  addresses.remove,
]

export const published = Object.values(events)

export const jobs: readonly Job[] = [
  cronJob(jobKind('sweep_verification_keys', 'rest'), 3600, (app) => transaction(app, 'system', sweepKeys)),
  cronJob(jobKind('sweep_unproven_claims', 'rest'), 600, sweepClaims),
  cronJob(jobKind('sweep_data_exports', 'rest'), 86_400, (app) => transaction(app, 'system', sweepExports)),
]
