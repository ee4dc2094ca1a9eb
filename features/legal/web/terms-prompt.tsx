import { useId } from 'react'
import { acceptTerms, getTerms } from '#features/legal/contract.ts'
import { termsToAccept } from '#features/legal/rules.ts'
import { paths } from '#features/paths.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf } from '#foundation/web/api/query.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { isViewing } from '#foundation/web/viewing.ts'
import { m } from '#texts/messages.js'
import { useTermsToAccept } from './hooks.ts'
import { TermsLink } from './terms-link.tsx'

/** The notice above each page for a customer who has not accepted the terms. The page stays usable: only orders and top-ups wait. */
export function TermsPrompt() {
  const id = useId()
  const asked = useTermsToAccept()
  const accept = useAct(async () => {
    if (!asked) return
    const answer = await call(acceptTerms, { body: { version: asked.version } })
    // A refusal names newer terms that came meanwhile: these are shown, to be read first.
    const other = answer.status === 200 ? answer.body : termsToAccept(answer.body)
    if (other) keepAnswer(answer, keyOf(getTerms), other)
    if (answer.status === 200) toastSuccess(m.legal_accepted)
    else answer.errors.slice(0, 1).forEach((error) => toastError(() => errorText(error)))
  })
  if (!asked || isViewing()) return null
  return (
    <section
      aria-labelledby={id}
      className="mx-auto mb-6 flex w-full max-w-[70rem] flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-md border border-line bg-sunken px-4 py-3 text-sm print:hidden"
    >
      <div className="min-w-0 flex-1 basis-72">
        <h2 id={id} className="font-medium">
          {asked.changed ? m.legal_changed() : m.legal_asked()}
        </h2>
        <p className="text-muted">{m.legal_asked_text()}</p>
        <p className="mt-1">
          <TermsLink {...asked} />
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button look="primary" size="small" pending={accept.pending} onClick={accept.run}>
          {m.legal_accept_button()}
        </Button>
        <TextLink to={paths.signOut()}>{m.legal_sign_out()}</TextLink>
      </div>
    </section>
  )
}
