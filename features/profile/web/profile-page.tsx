import { ErrorState } from '#foundation/web/ui/error-state.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { Loading, Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { AddressForm } from './address-form.tsx'
import { useProfile } from './calls.ts'
import { CompanyForm } from './company-form.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { DownloadData } from './download-data.tsx'
import { EmailAddresses } from './email-addresses.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { MailSwitches } from './mail-switches.tsx'
import { PersonalData } from './personal-data.tsx'

/** Who the customer is, how they are reached, in which language, and the way out (rows P-01 to P-04). */
export function ProfilePage() {
  const { data: profile, error, refetch } = useProfile()
  return (
    <Page title={m.profile_title()} description={m.profile_subtitle()} narrow>
      {profile ? (
        <>
          <PersonalData profile={profile} />
          <AddressForm profile={profile} />
          <CompanyForm profile={profile} />
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
    </Page>
  )
}
