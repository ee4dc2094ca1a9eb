import type { Handler } from '#foundation/server/http/handler.ts'
import { finishAccessReview } from './access-review.ts'
import * as addresses from './addresses.ts'
import * as choices from './choices.ts'
import { downloadData } from './download-data.ts'
import { downloadExport } from './export-link.ts'
import * as mailPreferences from './mail-preferences.ts'
import * as profile from './profile.ts'

export const routes: readonly Handler[] = [
  profile.getProfile,
  profile.updateProfile,
  finishAccessReview,
  profile.deactivate,
  downloadData,
  downloadExport,
  mailPreferences.getMailPreferences,
  mailPreferences.changeMailPreferences,
  choices.listLanguages,
  choices.listCountries,
  addresses.list,
  addresses.add,
  addresses.resend,
  addresses.makePrimary,
  addresses.remove,
]
