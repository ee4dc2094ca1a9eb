import { useState } from 'react'
import { paths } from '#features/paths.ts'
import { listStaffTickets, writeToCustomer, type CustomerCard } from '#features/support/desk/contract.ts'
import { lengths, priorities, topics } from '#features/support/tickets/rules.ts'
import { priorityText, topicText } from '#features/support/tickets/web/words.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useGo } from '#foundation/web/navigation.tsx'
import { newId } from '#foundation/web/new-id.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextAreaField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshCustomer } from './hooks.ts'

/** Opens a ticket with a message to a customer. Sent twice, it is still one ticket, because its id is made once per dialog. */
export function WriteToCustomer({ open, onClose, card }: DialogProps & { card: CustomerCard }) {
  const go = useGo()
  const [client_id] = useState(newId)
  const form = useForm(async (fields) => {
    const answer = await call(writeToCustomer, {
      params: { userId: card.id },
      body: {
        subject: fields.text('subject'),
        message: fields.text('message'),
        topic: topics.find((one) => one === fields.text('topic')) ?? 'miscellaneous',
        priority: priorities.find((one) => one === fields.text('priority')) ?? 'medium',
        ...(fields.text('host_id') === '' ? {} : { host_id: fields.text('host_id') }),
        client_id,
      },
    })
    if (answer.status !== 201 && answer.status !== 200) return answer
    const { id, number } = answer.body
    toastSuccess(() => m.customers_written({ number: String(number) }))
    refreshQueries(listStaffTickets)
    refreshCustomer()
    onClose()
    void go(paths.deskTicket(id))
    return undefined
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.customers_write_title({ name: card.name || card.email })}
      description={m.customers_write_text()}
      wide
      form={form}
      act={m.customers_write_send()}
      label={m.customers_write()}
    >
      <TextField
        name="subject"
        dir="auto"
        label={m.tickets_subject()}
        most={lengths.subject}
        autoComplete="off"
        required
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          name="topic"
          label={m.tickets_topic()}
          defaultValue="miscellaneous"
          options={topics.map((value) => ({ value, label: topicText(value) }))}
        />
        <SelectField
          name="priority"
          label={m.tickets_priority()}
          defaultValue="medium"
          options={priorities.map((value) => ({ value, label: priorityText(value) }))}
        />
      </div>
      {card.hosts.items.length > 0 ? (
        <SelectField
          name="host_id"
          label={m.shell_server()}
          empty="–"
          options={card.hosts.items.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : null}
      <TextAreaField name="message" label={m.tickets_message()} rows={6} most={lengths.message} required />
    </FormDialog>
  )
}
