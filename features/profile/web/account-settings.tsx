import type { Profile } from '#features/profile/contract.ts'
import { DeleteAccount } from './delete-account.tsx'
import { DownloadData } from './download-data.tsx'
import { EmailAddresses } from './email-addresses.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { MailSwitches } from './mail-switches.tsx'

/** All of the profile page that is below the form: addresses, language, mails, and closing the account. */
export function AccountSettings({ profile }: { profile: Profile }) {
  return (
    <>
      <EmailAddresses />
      <LanguageChoice profile={profile} />
      <MailSwitches />
      <DownloadData />
      <DeleteAccount profile={profile} />
    </>
  )
}
