import { useState } from 'react'
import { paths } from '#features/paths.ts'
import { vetoFactorReset } from '#features/customers/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { ButtonLink, useQueryValue } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { MailLinkPage } from '#foundation/web/ui/mail-link-page.tsx'
import { m } from '#texts/messages.js'

/**
 * The page that the mails about the reset of a second factor lead to. Somebody who has lost the factor cannot sign in, so the
 * page needs nothing but the key.
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
    <MailLinkPage
      title={isStopped ? m.customers_stop_done() : m.customers_stop_title()}
      text={isStopped ? m.customers_stop_done_text() : m.customers_stop_text()}
    >
      {isStopped ? (
        <ButtonLink to={paths.security()}>{m.shell_security()}</ButtonLink>
      ) : (
        <Form form={form} label={m.customers_stop_title()}>
          <SubmitButton wide>{m.customers_stop_action()}</SubmitButton>
        </Form>
      )}
    </MailLinkPage>
  )
}
