import { useState } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { lengths } from '#features/support/tickets/rules.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { must } from '#foundation/must.ts'
import { storedSession } from '#foundation/web/api/stored-session.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextAreaField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { absenceText, withAbsence } from './away.ts'
import { handOver } from './assign.ts'
import { useOthers } from './hooks.ts'

/** The dialog that hands a ticket over to a colleague together with an internal note. */
export function HandOverDialog({ ticket, open, onClose }: DialogProps & { ticket: Ticket }) {
  const me = storedSession.user()?.id
  // The dialog stays with the ticket as it was opened, so that no colleague's act changes whom the note is for; after a refusal it follows again.
  const [opened, setOpened] = useState<Ticket | undefined>(ticket)
  const present = opened ?? ticket
  const others = useOthers(present).filter(({ id }) => id !== me)
  const [to, setTo] = useState<string>()
  const chosen = others.find(({ id }) => id === to) ?? others[0]
  const form = useForm(async (fields) => {
    const to = must(others.find(({ id }) => id === fields.text('user_id')))
    const answer = await handOver(present, to, fields.text('note'))
    if (answer.status !== 200) {
      setOpened(undefined)
      return answer
    }
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.desk_hand_over_title({ number: String(ticket.number) })}
      form={form}
      act={m.desk_hand_over()}
      isReady={others.length > 0}
    >
      <SelectField
        name="user_id"
        label={m.desk_assignee()}
        value={chosen?.id ?? ''}
        onChange={({ target }) => setTo(target.value)}
        options={others.map((one) => ({ value: one.id, label: withAbsence(one) }))}
        hint={chosen && absenceText(chosen)}
      />
      <TextAreaField
        name="note"
        label={m.desk_hand_over_note()}
        hint={m.desk_hand_over_note_hint()}
        rows={4}
        most={lengths.message}
        required
      />
    </FormDialog>
  )
}
