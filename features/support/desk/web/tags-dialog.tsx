import { useState } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { m } from '#texts/messages.js'
import { actOn } from './acts.ts'
import { TagsField, tagsIn } from './tags-field.tsx'

/** The dialog for the tags of a ticket. It sends what was added and what was taken away, so that two who tag lose nothing. */
export function TagsDialog({ ticket, open, onClose }: DialogProps & { ticket: Ticket }) {
  const [before] = useState(ticket.tags ?? [])
  const [chosen, setChosen] = useState<readonly string[]>(before)
  const form = useForm(async (fields) => {
    const after = tagsIn(fields, 'add_tags', chosen)
    const answer = await actOn(ticket, {
      add_tags: after.filter((tag) => !before.includes(tag)),
      remove_tags: before.filter((tag) => !after.includes(tag)),
    })
    if (answer.status !== 200) return answer
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={m.desk_tags_title({ number: String(ticket.number) })}
      form={form}
      act={m.ui_save()}
    >
      <TagsField name="add_tags" label={m.desk_tag_add()} chosen={chosen} onChange={setChosen} />
    </FormDialog>
  )
}
