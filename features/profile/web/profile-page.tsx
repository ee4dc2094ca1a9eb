import { Suspense } from 'react'
import { settingsPaths } from '#features/paths.ts'
import { placeQuestion } from '#features/profile/slots.ts'
import { lazyPart, useShown } from '#foundation/web/lazy-page.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { SettingsPage } from '#foundation/web/ui/settings-page.tsx'
import { Loading, CardSkeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { useProfile } from './hooks.ts'
import { ProfileForm } from './profile-form.tsx'
import { prefetchSettings } from './settings-hooks.ts'

export { fetchProfile } from './hooks.ts'

const AccountSettings = lazyPart(() => {
  prefetchSettings()
  return import('./account-settings.tsx').then((file) => file.AccountSettings)
})

/** The profile page: personal data, addresses, language, and closing the account (rows P-01 to P-04). */
export function ProfilePage() {
  const query = useProfile()
  const hasShown = useShown(AccountSettings.isLoaded)
  return (
    <SettingsPage {...settingsPaths} title={m.profile_title()} description={m.profile_subtitle()}>
      <Loaded query={query} failed={m.profile_fetch_failed()} waiting={<Waiting />}>
        {(profile) => (
          <>
            {hasShown ? <Slot of={placeQuestion} props={{ saved: profile }} /> : null}
            <ProfileForm profile={profile} />
            {hasShown ? (
              <Suspense
                fallback={
                  <Loading>
                    <Waiting />
                  </Loading>
                }
              >
                <AccountSettings profile={profile} />
              </Suspense>
            ) : (
              <Loading>
                <Waiting />
              </Loading>
            )}
          </>
        )}
      </Loaded>
    </SettingsPage>
  )
}

const Waiting = () => (
  <div className="flex flex-col gap-6">
    <CardSkeleton phone={372} wide={250} />
    <CardSkeleton phone={630} wide={328} />
    <CardSkeleton phone={352} wide={238} />
  </div>
)
