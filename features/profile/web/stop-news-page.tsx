import { useState } from 'react'
import { stopNews } from '#features/profile/contract.ts'
import { paths } from '#features/paths.ts'
import { call } from '#foundation/web/api/call.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { ButtonLink, useQueryValue } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { MailLinkPage } from '#foundation/web/ui/mail-link-page.tsx'
import { m } from '#texts/messages.js'

/** The page that each letter with news leads to whoever wants no more; it needs nothing but the key. */
export function StopNewsPage() {
  const key = useQueryValue('key') ?? ''
  const [isStopped, setStopped] = useState(false)
  useTitle(m.profile_stop_news_title())
  const form = useForm(async () => {
    const answer = await call(stopNews, { query: { key } })
    if (answer.status !== 204) return answer
    setStopped(true)
    return undefined
  })
  return (
    <MailLinkPage
      title={isStopped ? m.profile_stop_news_done() : m.profile_stop_news_title()}
      text={isStopped ? m.profile_stop_news_done_text() : m.profile_stop_news_text()}
    >
      {isStopped ? (
        <ButtonLink to={paths.account()}>{m.profile_title()}</ButtonLink>
      ) : (
        <Form form={form} label={m.profile_stop_news_title()}>
          <SubmitButton wide>{m.profile_stop_news_action()}</SubmitButton>
        </Form>
      )}
    </MailLinkPage>
  )
}
