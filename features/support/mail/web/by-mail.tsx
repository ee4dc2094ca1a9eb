import Mail from 'lucide-react/icons/mail'
import MailWarning from 'lucide-react/icons/mail-warning'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { getTicketMails, getWholeMail } from '#features/support/mail/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { m } from '#texts/messages.js'

type Of = { chatId: string; seq: number }

/** Below a message that came as a mail: its author and staff open the whole mail, with what it quotes. */
export function ByMail({ chatId, seq, may }: Of & { may: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-2 text-xs text-muted">
      <Mail size={12} aria-hidden="true" />
      <span>{m.mail_in_by_mail()}</span>
      {may ? (
        <Button size="small" look="quiet" onClick={() => setOpen(true)}>
          {m.mail_in_whole()}
        </Button>
      ) : null}
      {open ? (
        <Dialog open onClose={() => setOpen(false)} title={m.mail_in_whole()} wide>
          <WholeMail chatId={chatId} seq={seq} />
        </Dialog>
      ) : null}
    </p>
  )
}

function WholeMail({ chatId, seq }: Of) {
  const query = useQuery(queryFor(getWholeMail, { params: { chatId, seq: String(seq) } }))
  return (
    <Loaded query={query} failed={m.mail_in_whole_failed()} waiting={<div className="h-40" />}>
      {({ subject, text }) => (
        <>
          <p dir="auto" className="mb-2 font-medium [overflow-wrap:anywhere]">
            {subject || m.mail_in_no_subject()}
          </p>
          <p
            dir="auto"
            className="rounded-md bg-sunken px-3 py-2 text-sm whitespace-pre-wrap [overflow-wrap:anywhere]"
          >
            {text}
          </p>
        </>
      )}
    </Loaded>
  )
}

/** Below a reply, for staff: the mail about it came back. */
export function Returned({ chatId, seq }: Of) {
  const { data } = useQuery({
    ...queryFor(getTicketMails, { params: { chatId } }),
    // A new reply says nothing new of mails; what comes back later arrives as a live event.
    refetchOnMount: false,
    select: ({ returned }) => returned.find((mail) => mail.seq === seq),
  })
  if (!data) return null
  return (
    <p className="mt-1 flex items-start gap-1.5 text-xs text-warning-text">
      <MailWarning size={13} aria-hidden="true" className="mt-px shrink-0" />
      <span className="[overflow-wrap:anywhere]">
        {m.mail_in_returned({ to: data.to, reason: data.reason })}
      </span>
    </p>
  )
}
