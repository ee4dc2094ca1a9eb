import { paths } from '#features/paths.ts'
import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { SettingsPage } from '#foundation/web/ui/settings-page.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { useProfile } from './hooks.ts'
import { DeleteAccount } from './delete-account.tsx'
import { DownloadData } from './download-data.tsx'
import { EmailAddresses } from './email-addresses.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { MailSwitches } from './mail-switches.tsx'
import { ProfileForm } from './profile-form.tsx'

/** The profile page: personal data, addresses, language, and closing the account (rows P-01 to P-04). */
export function ProfilePage() {
  const { data: profile, error, refetch } = useProfile()
  return (
    <SettingsPage
      account={paths.account()}
      security={paths.security()}
      people={paths.people()}
      title={m.profile_title()}
      description={m.profile_subtitle()}
    >
      {profile ? (
        <>
          <ProfileForm profile={profile} />
          <EmailAddresses />
          <LanguageChoice profile={profile} />
          <MailSwitches />
          <DownloadData />
          <DeleteAccount profile={profile} />
        </>
      ) : error ? (
        <ErrorState title={m.profile_fetch_failed()} error={error} onRetry={() => void refetch()} />
      ) : (
        <Loading>
          <div className="flex flex-col gap-6">
            <Skeleton className="h-72 rounded-lg" />
            <Skeleton className="h-96 rounded-lg" />
            <Skeleton className="h-48 rounded-lg" />
          </div>
        </Loading>
      )}
    </SettingsPage>
  )
}
