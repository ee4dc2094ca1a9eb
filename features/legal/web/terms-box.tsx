import type { TermsToAccept } from '#features/legal/contract.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { m } from '#texts/messages.js'
import { TermsLink } from './terms-link.tsx'

/** The box that accepts the terms: sends the version that is linked beside it. */
export function TermsBox({ version, url, changed }: TermsToAccept & { changed?: boolean }) {
  return (
    <div className="flex flex-col gap-1">
      <CheckboxField
        name="terms"
        value={version}
        required
        label={m.legal_accept()}
        hint={changed ? m.legal_changed() : undefined}
      />
      <p className="pl-8 text-sm">
        <TermsLink version={version} url={url} />
      </p>
    </div>
  )
}
