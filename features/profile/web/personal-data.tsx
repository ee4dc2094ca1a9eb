import type { Profile } from '#features/profile/contract.ts'
import { fieldLengths } from '#features/profile/rules.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

export function PersonalData({ profile }: { profile: Profile }) {
  return (
    <Card title={m.profile_personal()} description={m.profile_personal_text()}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="name"
          label={m.profile_name()}
          defaultValue={profile.name}
          autoComplete="given-name"
          most={fieldLengths.name}
        />
        <TextField
          name="middle_name"
          label={m.profile_middle_name()}
          defaultValue={profile.middle_name}
          autoComplete="additional-name"
          most={fieldLengths.middle_name}
        />
        <div className="sm:col-span-2">
          <TextField
            name="surname"
            label={m.profile_surname()}
            defaultValue={profile.surname}
            autoComplete="family-name"
            most={fieldLengths.surname}
          />
        </div>
      </div>
    </Card>
  )
}
