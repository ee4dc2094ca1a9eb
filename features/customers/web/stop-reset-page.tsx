import { useState } from 'react'
import { paths } from '#features/paths.ts'
import { vetoFactorReset } from '#features/customers/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { ButtonLink, useQueryValue } from '#foundation/web/navigation.tsx'
import { operator } from '#foundation/web/operator.ts'
import { useTitle } from '#foundation/web/title.ts'
import { LegalLinks } from '#foundation/web/ui/legal-links.tsx'
import { Mark } from '#foundation/web/ui/mark.tsx'
import { m } from '#texts/messages.js'

/**
 * Where the mails about the reset of a second factor lead. Opening it changes nothing, as programs that scan mails open links; whoever
 * lost the factor cannot sign in, so it asks for nothing but the key.
 */
export function StopResetPage() {
  const key = useQueryValue('key') ?? ''
  const [isStopped, setStopped] = useState(false)
  useTitle(m.customers_stop_title())
  const form = useForm(async () => {
    const answer = await call(vetoFactorReset, { body: { key } })
    if (answer.status !== 204) return answer
    setStopped(true)
    return undefined
  })
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center gap-2.5 px-4 py-4 font-semibold tracking-tight sm:px-6">
        <Mark />
        {operator.name}
      </header>
      <main
        id="content"
        className="mx-auto flex w-full max-w-sm flex-1 flex-col gap-6 px-4 pt-6 pb-16 sm:pt-[12vh]"
      >
        <div role="status">
          <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight text-balance outline-none">
            {isStopped ? m.customers_stop_done() : m.customers_stop_title()}
          </h1>
          <p className="mt-2 text-sm text-pretty text-muted">
            {isStopped ? m.customers_stop_done_text() : m.customers_stop_text()}
          </p>
        </div>
        {isStopped ? (
          <ButtonLink to={paths.security()}>{m.shell_security()}</ButtonLink>
        ) : (
          <Form form={form} label={m.customers_stop_title()}>
            <SubmitButton wide>{m.customers_stop_action()}</SubmitButton>
          </Form>
        )}
      </main>
      <LegalLinks />
    </div>
  )
}
