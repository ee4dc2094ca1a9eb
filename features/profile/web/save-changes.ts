import type { Profile } from '#features/profile/contract.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import type { Refused } from '#foundation/web/form/use-form.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { saveProfile } from './calls.ts'

/** What both forms of the profile do: send the fields that differ (row P-01), show errors at their fields. */
export async function saveChanges(fields: FormFields, profile: Profile): Promise<Refused | undefined> {
  const changed = fields.changed(profile)
  if (Object.keys(changed).length > 0) {
    const answer = await saveProfile(changed)
    if (answer.status !== 200) {
      if (answer.errors.every(({ param }) => param === undefined)) toastError(() => m.profile_update_failed())
      return answer
    }
  }
  toastSuccess(() => m.profile_saved())
  return undefined
}
