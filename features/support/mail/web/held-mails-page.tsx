import MailCheck from 'lucide-react/icons/mail-check'
import type { HeldMail } from '#features/support/mail/contract.ts'
import { paths } from '#features/paths.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { ButtonLink, TextLink } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { ScrolledText } from '#foundation/web/ui/scrolled-text.tsx'
import { m } from '#texts/messages.js'
import { HeldActs } from './held-acts.tsx'
import { useHeldMails } from './hooks.ts'
import { MailTabs } from './mail-tabs.tsx'
import { reasonText } from './words.ts'

/** The mails that came in and that somebody has to decide about, the oldest first (row K-05). */
export function HeldMailsPage() {
  useTitle(m.mail_in_title())
  const pages = useHeldMails()
  return (
    <Page
      title={m.mail_in_title()}
      description={m.mail_in_text()}
      actions={<ButtonLink to={paths.desk()}>{m.mail_in_to_tickets()}</ButtonLink>}
    >
      <MailTabs current="held" />
      <LoadedList
        query={pages}
        failed={m.mail_in_failed()}
        none={
          <EmptyState icon={<MailCheck size={20} aria-hidden="true" />} title={m.mail_in_none()}>
            {m.mail_in_none_text()}
          </EmptyState>
        }
      >
        {(mails) => (
          <ul aria-label={m.mail_in_title()} className="flex flex-col gap-4">
            {mails.map((mail) => (
              <li key={mail.id}>
                <Held mail={mail} />
              </li>
            ))}
          </ul>
        )}
      </LoadedList>
    </Page>
  )
}

function Held({ mail }: { mail: HeldMail }) {
  const { from, from_name, subject, text, file_names, reason, ticket, customer, received_at } = mail
  return (
    <article className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4 sm:p-5">
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <div className="min-w-0">
          <h2 dir="auto" className="font-semibold [overflow-wrap:anywhere]">
            {subject || m.mail_in_no_subject()}
          </h2>
          <p dir="auto" className="text-sm text-muted [overflow-wrap:anywhere]">
            {[from_name, from ?? m.mail_in_from_unknown()].filter(Boolean).join(' · ')}
          </p>
        </div>
        <time dateTime={received_at} className="text-sm text-muted">
          {formatDateTime(received_at)}
        </time>
      </header>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
        <Badge tone="warning" isLong>
          {reasonText(reason)}
        </Badge>
        {customer ? <TextLink to={paths.customer(customer.id)}>{customer.name}</TextLink> : null}
        {ticket ? (
          <TextLink to={paths.deskTicket(ticket.id)}>
            {m.mail_in_to_ticket({ number: String(ticket.number) })}
          </TextLink>
        ) : null}
      </p>
      {text ? <ScrolledText text={text} className="max-h-72 rounded-md bg-sunken px-3 py-2 text-sm" /> : null}
      {file_names.length > 0 ? (
        <p className="text-sm text-muted [overflow-wrap:anywhere]">
          {m.mail_in_files({ names: file_names.join(', ') })}
        </p>
      ) : null}
      <HeldActs mail={mail} />
    </article>
  )
}
