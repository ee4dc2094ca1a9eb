import type { Profile } from '#features/profile/contract.ts'
import { fieldLengths } from '#features/profile/rules.ts'
import { vatIdNotice } from '#features/profile/slots.ts'
import { useShown } from '#foundation/web/lazy-page.tsx'
import { Slot } from '#foundation/web/slots.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** The company that pays: its name and VAT id, which are printed on invoices. */
export function CompanyData({ profile }: { profile: Profile }) {
  const hasShown = useShown()
  return (
    <Card title={m.profile_company_title()} description={m.profile_company_text()}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="company"
          label={m.profile_company()}
          defaultValue={profile.company}
          autoComplete="organization"
          most={fieldLengths.company}
        />
        <TextField
          name="vat_id"
          label={m.profile_vat_id()}
          defaultValue={profile.vat_id}
          hint={m.profile_vat_id_hint()}
          autoComplete="off"
          most={fieldLengths.vat_id}
        />
      </div>
      <div className="mt-4 empty:hidden">
        {hasShown ? <Slot of={vatIdNotice} props={{ saved: profile }} /> : null}
      </div>
    </Card>
  )
}
