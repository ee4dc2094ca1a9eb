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

/** The page to which each letter leads that can be stopped; it needs nothing but the key. */
export function StopNewsPage() {
  const key = useQueryValue('key') ?? ''
  const words = wordsOf(useQueryValue('kind'))
  const [isStopped, setStopped] = useState(false)
  useTitle(words.title())
  const form = useForm(async () => {
    const answer = await call(stopNews, { query: { key } })
    if (answer.status !== 204) return answer
    setStopped(true)
    return undefined
  })
  return (
    <MailLinkPage
      title={isStopped ? words.done() : words.title()}
      text={isStopped ? words.done_text() : m.profile_stop_news_text()}
    >
      {isStopped ? (
        <ButtonLink to={paths.account()}>{m.profile_title()}</ButtonLink>
      ) : (
        <Form form={form} label={words.title()}>
          <SubmitButton wide>{words.action()}</SubmitButton>
        </Form>
      )}
    </MailLinkPage>
  )
}

/** The words for what the letter was about; the key alone says what is stopped. */
function wordsOf(kind: string | undefined) {
  const news = {
    title: m.profile_stop_news_title,
    action: m.profile_stop_news_action,
    done: m.profile_stop_news_done,
    done_text: m.profile_stop_news_done_text,
  }
  if (kind !== 'ticket_replies' && kind !== 'ticket_closing') return news
  return {
    title: kind === 'ticket_replies' ? m.profile_stop_replies_title : m.profile_stop_closing_title,
    action: m.profile_stop_such_action,
    done: m.profile_stop_such_done,
    done_text: m.profile_stop_such_done_text,
  }
}
