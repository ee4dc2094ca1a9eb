import type { Profile } from '#features/profile/contract.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { m } from '#texts/messages.js'
import { ProfileFields } from './profile-fields.tsx'

export const PersonalData = ({ profile }: { profile: Profile }) => (
  <Card title={m.profile_personal()} description={m.profile_personal_text()}>
    <div className="grid gap-4 sm:grid-cols-6">
      <ProfileFields card="person" profile={profile} />
    </div>
  </Card>
)
