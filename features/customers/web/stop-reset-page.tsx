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
 * The page that the mails about the reset of a second factor, or about a merge, lead to. Somebody who has lost the factor cannot sign in, so the
 * page needs nothing but the key.
 */
export function StopResetPage() {
  const key = useQueryValue('key') ?? ''
  const [isStopped, setStopped] = useState(false)
  const texts = useQueryValue('of') === 'merge' ? MERGE : RESET
  useTitle(texts.title())
  const form = useForm(async () => {
    const answer = await call(vetoFactorReset, { body: { key } })
    if (answer.status !== 204) return answer
    setStopped(true)
    return undefined
  })
  return (
    <MailLinkPage
      title={isStopped ? texts.done() : texts.title()}
      text={isStopped ? m.customers_stop_done_text() : texts.text()}
    >
      {isStopped ? (
        <ButtonLink to={paths.security()}>{m.shell_security()}</ButtonLink>
      ) : (
        <Form form={form} label={texts.title()}>
          <SubmitButton wide>{texts.action()}</SubmitButton>
        </Form>
      )}
    </MailLinkPage>
  )
}

const RESET = {
  title: m.customers_stop_title,
  text: m.customers_stop_text,
  action: m.customers_stop_action,
  done: m.customers_stop_done,
}
const MERGE = {
  title: m.customers_stop_merge_title,
  text: m.customers_stop_merge_text,
  action: m.customers_mail_merge_action,
  done: m.customers_stop_merge_done,
}
