import { settingsPaths } from '#features/paths.ts'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { SettingsPage } from '#foundation/web/ui/settings-page.tsx'
import { CardSkeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { ActivityCard } from './activity.tsx'
import { useAuthenticators } from './hooks.ts'
import { ChangePassword } from './change-password.tsx'
import { Devices } from './devices.tsx'
import { useOfferToSignOutOthers } from './other-devices.tsx'
import { Passkeys } from './passkeys.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'
import { TwoFactor } from './two-factor.tsx'

/** The customer's proofs of identity, and the devices they are signed in on (rows ). */
export function ProfileSecurityPage() {
  return (
    <SettingsPage {...settingsPaths} title={m.security_title()} description={m.security_subtitle()}>
      <SecondFactors />
      <Devices />
      <ChangePassword />
      <ActivityCard />
    </SettingsPage>
  )
}

function SecondFactors() {
  const query = useAuthenticators()
  const { offer, dialog } = useOfferToSignOutOthers()
  return (
    <Loaded
      query={query}
      failed={m.security_fetch_failed()}
      waiting={
        <div className="flex flex-col gap-6">
          <CardSkeleton phone={230} wide={154} />
          <CardSkeleton phone={226} wide={150} />
        </div>
      }
    >
      {(factors) => (
        <>
          <TwoFactor totp={factors.totp} onChanged={offer} />
          {factors.codes ? <RecoveryCodes codes={factors.codes} /> : null}
          <Passkeys passkeys={factors.passkeys} onChanged={offer} />
          {dialog}
        </>
      )}
    </Loaded>
  )
}
