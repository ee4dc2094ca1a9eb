import { useInfiniteQuery } from '@tanstack/react-query'
import { listCustomerMails, sendMailAgain, type CustomerMail } from '#features/customers/mail-contract.ts'
import type { MailHindrance, MailState } from '#features/customers/rules.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { call } from '#foundation/web/api/call.ts'
import { pagedQueryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Badge, type Tone } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'

/** The mails to a customer: an answer to "I never got it", and the way to send it again. */
export function CustomerMails({ card }: { card: CustomerCard }) {
  const pages = useInfiniteQuery(pagedQueryFor(listCustomerMails, { params: { userId: card.id }, query: {} }))
  const mayWrite = useMay('customers.contact')
  return (
    <LoadedList query={pages} failed={m.customers_mails_failed()} none={m.customers_mails_none()}>
      {(mails) => (
        <>
          <p className="text-sm text-muted">{m.customers_mails_text()}</p>
          <List label={m.customers_tab_mails()}>
            {mails.map((mail) => (
              <MailRow key={mail.id} card={card} mail={mail} mayWrite={mayWrite} />
            ))}
          </List>
        </>
      )}
    </LoadedList>
  )
}

function MailRow({ card, mail, mayWrite }: { card: CustomerCard; mail: CustomerMail; mayWrite: boolean }) {
  const { id, created_at, kind, subject, to, state, answer, again_to, hindrance } = mail
  const again = useAct(async () => {
    const reply = await call(sendMailAgain, { params: { userId: card.id, mailId: id } })
    if (reply.status === 200) toastSuccess(() => m.customers_mail_again_done({ to: reply.body.to }))
    else toastError(m.customers_mail_again_failed, reply)
    refreshQueries(listCustomerMails)
  })
  const today = again_to === null || again_to === to ? [] : [m.customers_mail_to_today({ to: again_to })]
  const sent = [formatDateTime(created_at), to, ...today].join(' · ')
  return (
    <ListRow
      title={subject === '' ? kind : <bdi>{subject}</bdi>}
      badge={<Badge tone={TONES[state]}>{STATES[state]()}</Badge>}
      detail={
        <>
          <p>{sent}</p>
          {answer === '' ? null : <p>{answer}</p>}
          {mayWrite && hindrance !== null ? <p>{HINDRANCES[hindrance]()}</p> : null}
        </>
      }
      actions={
        mayWrite && again_to !== null ? (
          <Button size="small" pending={again.pending} onClick={again.run}>
            {m.customers_mail_again()}
          </Button>
        ) : undefined
      }
    />
  )
}

const TONES: Readonly<Record<MailState, Tone>> = {
  waiting: 'neutral',
  refused: 'warning',
  sent: 'success',
  given_up: 'danger',
  kept: 'neutral',
}

const STATES: Readonly<Record<MailState, () => string>> = {
  waiting: m.customers_mail_state_waiting,
  refused: m.customers_mail_state_refused,
  sent: m.customers_mail_state_sent,
  given_up: m.customers_mail_state_given_up,
  kept: m.customers_mail_state_kept,
}

const HINDRANCES: Readonly<Record<MailHindrance, () => string>> = {
  secret: m.customers_mail_not_secret,
  waiting: m.customers_mail_not_waiting,
  forgotten: m.customers_mail_not_forgotten,
  unwanted: m.customers_mail_not_unwanted,
  suspended: m.customers_mail_not_suspended,
}
