import type { Profile } from '#features/profile/contract.ts'
import { EditForm, SaveBar } from '#foundation/web/form/edit-form.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { saveProfile } from './hooks.ts'
import { toastUpdateFailed } from './settings-hooks.ts'
import { CompanyData } from './company-data.tsx'
import { PersonalData } from './personal-data.tsx'
import { PostalAddress } from './postal-address.tsx'

/** All personal details on invoices and mails, in one form with one bar that saves it. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const form = useEditForm({
    saved: profile,
    save: async (changes, version) => {
      const answer = await saveProfile({ ...changes, version })
      if (answer.status !== 200) toastUpdateFailed(answer)
      return answer
    },
    onDone: () => toastSuccess(() => m.profile_saved()),
  })
  return (
    <EditForm form={form} label={m.profile_title()} layout="page">
      <PersonalData profile={profile} />
      <PostalAddress profile={profile} />
      <CompanyData profile={profile} />
      <SaveBar form={form} />
    </EditForm>
  )
}
