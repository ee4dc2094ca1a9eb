import { useMemo } from 'react'
import type { Profile } from '#features/profile/contract.ts'
import { EditForm, SaveBar } from '#foundation/web/form/edit-form.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { saveProfile } from './hooks.ts'
import { toastUpdateFailed } from './settings-hooks.ts'
import { PostalAddress } from './postal-address.tsx'
import { vatIdNotice } from '#features/profile/slots.ts'
import { useShown } from '#foundation/web/lazy-page.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { ProfileFields } from './profile-fields.tsx'

/** All personal details on invoices and mails, in one form with one bar that saves it. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const saved = useMemo(() => ofForm(profile), [profile])
  const form = useEditForm({
    saved,
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

/** The profile without the first page of staff, which is chosen elsewhere and saved at once. */
function ofForm({ first_page: _chosen, ...saved }: Profile) {
  return saved
}

/** The company that pays: its name and VAT id, which are printed on invoices. */
function CompanyData({ profile }: { profile: Profile }) {
  const hasShown = useShown()
  return (
    <Card title={m.profile_company_title()} description={m.profile_company_text()}>
      <div className="grid gap-4 sm:grid-cols-6">
        <ProfileFields card="company" profile={profile} />
      </div>
      <div className="mt-4 empty:hidden">
        {hasShown ? <Slot of={vatIdNotice} props={{ saved: profile }} /> : null}
      </div>
    </Card>
  )
}

const PersonalData = ({ profile }: { profile: Profile }) => (
  <Card title={m.profile_personal()} description={m.profile_personal_text()}>
    <div className="grid gap-4 sm:grid-cols-6">
      <ProfileFields card="person" profile={profile} />
    </div>
  </Card>
)
