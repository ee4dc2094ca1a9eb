import { serve } from '#foundation/server/http/serve.ts'
import * as contract from '#features/profile/contract.ts'
import { finishAccessReview } from './access-review.ts'
import * as addresses from './addresses.ts'
import { downloadData } from './download-data.ts'
import * as mailPreferences from './mail-preferences.ts'
import * as profile from './profile.ts'

export const routes = [
  serve(contract.getProfile, profile.getProfile),
  serve(contract.updateProfile, profile.updateProfile),
  serve(contract.finishAccessReview, finishAccessReview),
  serve(contract.deactivate, profile.deactivate),
  serve(contract.downloadData, downloadData),
  serve(contract.getMailPreferences, mailPreferences.getMailPreferences),
  serve(contract.changeMailPreferences, mailPreferences.changeMailPreferences),
  serve(contract.listLanguages, profile.listLanguages),
  serve(contract.listCountries, profile.listCountries),
  serve(contract.listAddresses, addresses.list),
  serve(contract.addAddress, addresses.add),
  serve(contract.resendConfirmation, addresses.resend),
  serve(contract.makePrimary, addresses.makePrimary),
  serve(contract.removeAddress, addresses.remove),
]
