import { SuggestedArticles } from '#features/help/web/help.ts'
import { lengths } from '#features/support/tickets/rules.ts'
import { useCallback, useRef, useState } from 'react'
import {
  createTicket,
  listTickets,
  type PickedFiles,
  type Ticket,
} from '#features/support/tickets/contract.ts'
import { newTicketFiles, newTicketSecret, type SendSecret } from '#features/support/tickets/slots.ts'
import { priorities, topics, topicsFor } from '#features/support/tickets/rules.ts'
import { actedFor } from '#foundation/web/acting.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { drafts } from '#foundation/web/drafts.ts'
import { newId } from '#foundation/web/new-id.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { toast, toastError } from '#foundation/web/toasts/toasts.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextAreaField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { ExpectedForNew } from './expected.tsx'
import { HostChoice } from './host-choice.tsx'
import { ticketDraft } from './ticket-draft.ts'
import { priorityText, topicText } from './words.ts'

type Props = {
  open: boolean
  previous_id: string | undefined
  /** The server that the ticket is about, if the customer came from the server's page. */
  host_id: string | undefined
  onClose: () => void
  onCreated: (ticket: Ticket) => void
}

/**
 * The dialog that opens a ticket (row V-06). The typed text is kept as a draft until the ticket exists, and sending it twice opens one
 * ticket.
 */
export function NewTicketDialog({ open, onClose, ...form }: Props) {
  return (
    <Dialog open={open} onClose={onClose} title={m.tickets_new()} description={m.tickets_new_text()} wide>
      {open ? <NewTicketForm onClose={onClose} {...form} /> : null}
    </Dialog>
  )
}

function NewTicketForm({ previous_id, host_id, onClose, onCreated }: Omit<Props, 'open'>) {
  const [draft] = useState(ticketDraft.read)
  const [typed, setTyped] = useState({ subject: draft['subject'] ?? '', message: draft['message'] ?? '' })
  // The id is kept with the draft: if an answer is lost, a second try, also after a reload, finds the ticket of the first try.
  const [client_id] = useState(() => draft['client_id'] ?? newId())
  const picked = useRef<PickedFiles>(undefined)
  const onPick = useCallback((how: PickedFiles) => {
    picked.current = how
  }, [])
  const sender = useRef<SendSecret>(undefined)
  const onReady = useCallback((send: SendSecret) => {
    sender.current = send
  }, [])
  const form = useForm(async (fields, element) => {
    const about = fields.text('host_id')
    const attachment_ids = picked.current ? await picked.current.ids() : []
    if (!attachment_ids) return { errors: [{ code: 'unknown_attachment' }] }
    const said = fields.text('said') || fields.text('message')
    ticketDraft.keep(element, said)
    const answer = await call(createTicket, {
      body: {
        subject: fields.text('subject'),
        message: fields.text('message'),
        ...chosenIn(fields),
        client_id,
        ...(attachment_ids.length > 0 ? { attachment_ids: [...attachment_ids] } : {}),
        ...(about === '' ? {} : { host_id: about }),
        ...(previous_id === undefined ? {} : { previous_id }),
      },
    })
    if (answer.status !== 201 && answer.status !== 200) {
      if (isRefused(answer.status)) ticketDraft.keep(element, '')
      // Errors that concern no field are shown in a toast (row K-04).
      if (answer.errors.every(({ param }) => param === undefined)) toastError(m.tickets_create_failed, answer)
      return answer
    }
    const secret = fields.text('secret')
    if (secret !== '' && !(await sender.current?.(answer.body.id, secret))) return undefined
    picked.current?.forget()
    ticketDraft.forget()
    // An earlier try has opened the ticket with another text: this text waits as a draft in the chat, where it can still be sent.
    if (answer.status === 200 && said !== fields.text('message'))
      drafts.write(answer.body.id, fields.text('message'))
    refreshQueries(listTickets)
    toast({ type: 'success', message: m.tickets_created })
    onCreated(answer.body)
    return undefined
  })
  const [about, setAbout] = useState({ priority: draft['priority'], host_id: host_id ?? draft['host_id'] })
  const kept: typeof form = {
    ...form,
    onInput: (event) => {
      form.onInput(event)
      const typed = new FormData(event.currentTarget)
      const next = { priority: textOf(typed.get('priority')), host_id: textOf(typed.get('host_id')) }
      if (next.priority !== about.priority || next.host_id !== about.host_id) setAbout(next)
      ticketDraft.keep(event.currentTarget)
      const { subject = '', message = '' } = ticketDraft.read()
      setTyped({ subject, message })
    },
  }
  return (
    <DialogForm form={kept} act={m.tickets_create()} label={m.tickets_new()} onClose={onClose}>
      <input type="hidden" name="client_id" defaultValue={client_id} />
      <input type="hidden" name="said" defaultValue={draft['said']} />
      <TextField
        name="subject"
        dir="auto"
        label={m.tickets_subject()}
        most={lengths.subject}
        defaultValue={draft['subject']}
        autoComplete="off"
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          name="topic"
          label={m.tickets_topic()}
          empty={m.tickets_topic_choose()}
          defaultValue={draft['topic']}
          options={topicsOffered().map((value) => ({ value, label: topicText(value) }))}
        />
        <SelectField
          name="priority"
          label={m.tickets_priority()}
          defaultValue={draft['priority'] ?? 'medium'}
          options={priorities.map((value) => ({ value, label: priorityText(value) }))}
        />
      </div>
      <HostChoice asked={host_id ?? (draft['host_id'] || undefined)} />
      <TextAreaField
        name="message"
        label={m.tickets_message()}
        hint={m.tickets_message_hint()}
        most={lengths.message}
        rows={7}
        defaultValue={draft['message']}
      />
      <Slot of={newTicketSecret} props={{ message: typed.message, onReady }} waiting={null} />
      <SuggestedArticles text={`${typed.subject} ${typed.message}`} />
      <Slot of={newTicketFiles} props={{ onPick }} />
      <ExpectedForNew
        priority={priorities.find((one) => one === about.priority) ?? 'medium'}
        host_id={about.host_id || undefined}
      />
    </DialogForm>
  )
}

const textOf = (value: FormDataEntryValue | null) => (typeof value === 'string' ? value : undefined)

/** Returns the topics to choose from; for a helper, only the topics of their role. */
const topicsOffered = () => {
  const account = actedFor()
  return account ? topicsFor(account.role) : topics
}

/** True if the server refused to open the ticket; after a broken connection or an error of the server the outcome is unknown. */
const isRefused = (status: number): boolean => status >= 400 && status < 500

// A missing choice is not sent, so that the server's error appears at the field.
function chosenIn(fields: FormFields): Pick<Ticket, 'topic' | 'priority'>
function chosenIn(fields: FormFields): object {
  return { topic: fields.text('topic') || undefined, priority: fields.text('priority') }
}
