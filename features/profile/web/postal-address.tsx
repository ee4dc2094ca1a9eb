import { startTransition, useEffect, useState } from 'react'
import type { Profile } from '#features/profile/contract.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { useCountries } from './countries.ts'
import { ProfileFields } from './profile-fields.tsx'

export function PostalAddress({ profile }: { profile: Profile }) {
  return (
    <Card title={m.profile_address_title()} description={m.profile_address_text()}>
      <div className="grid gap-4 sm:grid-cols-6">
        <ProfileFields card="address" profile={profile} />
        <div className="sm:col-span-3">
          <CountryField country={profile.country} />
        </div>
      </div>
    </Card>
  )
}

/** The whole list of countries loads when the page has settled, or at once when the field is used. */
function CountryField({ country }: { country: string }) {
  const [wanted, setWanted] = useState(false)
  const want = () => setWanted(true)
  useEffect(() => {
    const soon = setTimeout(() => startTransition(() => setWanted(true)), SETTLED_ms)
    return () => clearTimeout(soon)
  }, [])
  return (
    <SelectField
      name="country"
      label={m.profile_country()}
      defaultValue={country}
      options={useCountries(country, wanted)}
      empty={m.profile_country_none()}
      autoComplete="country"
      onPointerEnter={want}
      onPointerDown={want}
      onFocus={want}
    />
  )
}

const SETTLED_ms = 1000
