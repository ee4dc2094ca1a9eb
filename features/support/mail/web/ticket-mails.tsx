import type { Ticket } from '#features/support/tickets/contract.ts'
import { onlyReads } from '#foundation/web/acting.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { ScrolledText } from '#foundation/web/ui/scrolled-text.tsx'
import { useAct } from '#foundation/web/use-act.ts'
import { m } from '#texts/messages.js'
import { decideAnswer, useTicketMails } from './hooks.ts'
import { SuspendedAlert } from './suspended.tsx'

/** Above a conversation: answers of others about which the customer is asked, and addresses to which no mail goes. */
export function TicketMails({ ticket }: { ticket: Ticket }) {
  const { data } = useTicketMails(ticket.id)
  if (!data) return null
  const isStaff = ticket.customer !== undefined
  return (
    <>
      {data.suspended.map(({ email }) => (
        <SuspendedAlert key={email} email={email} isStaff={isStaff} />
      ))}
      {data.asked.map((mail) => (
        <Asked key={mail.id} chatId={ticket.id} mail={mail} />
      ))}
    </>
  )
}

type Mail = NonNullable<ReturnType<typeof useTicketMails>['data']>['asked'][number]

function Asked({ chatId, mail: { id, from, text, file_names } }: { chatId: string; mail: Mail }) {
  const act = useAct(async (show: boolean) => {
    const answer = await decideAnswer(chatId, id, show)
    if (answer.status !== 204) toastError(m.mail_in_act_failed, answer)
  })
  return (
    <Alert tone="warning">
      <p>{m.mail_in_asked({ from: from ?? m.mail_in_from_unknown() })}</p>
      <ScrolledText text={text} className="mt-1 max-h-40" />
      {file_names.length > 0 ? (
        <p className="mt-1 [overflow-wrap:anywhere]">{m.mail_in_files({ names: file_names.join(', ') })}</p>
      ) : null}
      {onlyReads() ? null : (
        <p className="mt-2 flex flex-wrap gap-2">
          <Button size="small" pending={act.pending} onClick={() => act.run(true)}>
            {m.mail_in_show()}
          </Button>
          <Button size="small" look="quiet" pending={act.pending} onClick={() => act.run(false)}>
            {m.mail_in_discard()}
          </Button>
        </p>
      )}
    </Alert>
  )
}
