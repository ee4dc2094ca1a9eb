import { moreSettings } from '#features/profile/slots.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { CardSkeleton } from '#foundation/web/ui/skeleton.tsx'
import type { Profile } from '#features/profile/contract.ts'
import { DeleteAccount } from './delete-account.tsx'
import { DownloadData } from './download-data.tsx'
import { EmailAddresses } from './email-addresses.tsx'
import { LanguageChoice } from './language-choice.tsx'
import { MailSwitches } from './mail-switches.tsx'

/** The part of the profile page below the form: addresses, language, mails, the download of all data, and the deletion of the account. */
export function AccountSettings({ profile }: { profile: Profile }) {
  return (
    <>
      <EmailAddresses />
      <LanguageChoice profile={profile} />
      <MailSwitches />
      <Slot of={moreSettings} props={{}} waiting={<CardSkeleton phone={255} wide={215} />} />
      <DownloadData />
      <DeleteAccount profile={profile} />
    </>
  )
}
