import type { Profile } from '#features/profile/contract.ts'
import { vatIdNotice } from '#features/profile/slots.ts'
import { useShown } from '#foundation/web/lazy-page.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { m } from '#texts/messages.js'
import { ProfileFields } from './profile-fields.tsx'

/** The company that pays: its name and VAT id, which are printed on invoices. */
export function CompanyData({ profile }: { profile: Profile }) {
  const hasShown = useShown()
  return (
    <Card title={m.profile_company_title()} description={m.profile_company_text()}>
      <div className="grid gap-4 sm:grid-cols-6">
        <ProfileFields card="company" profile={profile} />
      </div>
      <div className="mt-4 empty:hidden">
        {hasShown ? <Slot of={vatIdNotice} props={{ saved: profile }} /> : null}
      </div>
    </Card>
  )
}
