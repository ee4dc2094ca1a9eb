import { startTransition, useEffect, useState } from 'react'
import type { ReactNode } from 'react'
import type { Profile } from '#features/profile/contract.ts'
import { fieldLengths } from '#features/profile/rules.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { useCountries } from './countries.ts'

export function PostalAddress({ profile }: { profile: Profile }) {
  return (
    <Card title={m.profile_address_title()} description={m.profile_address_text()}>
      <div className="grid gap-4 sm:grid-cols-6">
        <Cell span="sm:col-span-4">
          <Line name="address" label={m.profile_address()} profile={profile} autoComplete="address-line1" />
        </Cell>
        <Cell span="sm:col-span-2">
          <Line
            name="apartment"
            label={m.profile_apartment()}
            profile={profile}
            autoComplete="address-line2"
          />
        </Cell>
        <Cell span="sm:col-span-2">
          <Line name="zip" label={m.profile_zip()} profile={profile} autoComplete="postal-code" />
        </Cell>
        <Cell span="sm:col-span-4">
          <Line name="city" label={m.profile_city()} profile={profile} autoComplete="address-level2" />
        </Cell>
        <Cell span="sm:col-span-3">
          <Line name="state" label={m.profile_state()} profile={profile} autoComplete="address-level1" />
        </Cell>
        <Cell span="sm:col-span-3">
          <CountryField country={profile.country} />
        </Cell>
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

type LineProps = {
  name: 'address' | 'apartment' | 'zip' | 'city' | 'state'
  label: string
  profile: Profile
  autoComplete: string
}

const Line = ({ name, label, profile, autoComplete }: LineProps) => (
  <TextField
    name={name}
    label={label}
    defaultValue={profile[name]}
    autoComplete={autoComplete}
    most={fieldLengths[name]}
  />
)

const Cell = ({ span, children }: { span: string; children: ReactNode }) => (
  <div className={span}>{children}</div>
)
