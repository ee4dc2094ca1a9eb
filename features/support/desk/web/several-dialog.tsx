import { useState } from 'react'
import type { Ticket } from '#features/support/tickets/contract.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { m } from '#texts/messages.js'
import { actOnSeveral } from './several.ts'
import { SnoozeFields, snoozeOf } from './snooze-fields.tsx'
import { TagsField, tagsIn } from './tags-field.tsx'

type Props = DialogProps & { kind: 'tags' | 'snooze'; tickets: readonly Ticket[] }

/** The dialog for the acts on several tickets that need a word more: which tags, or until when. */
export function SeveralDialog({ kind, tickets, open, onClose }: Props) {
  const [added, setAdded] = useState<readonly string[]>([])
  const [removed, setRemoved] = useState<readonly string[]>([])
  const form = useForm(
    async (fields) => {
      const until = kind === 'snooze' ? snoozeOf(fields) : undefined
      const acts =
        kind === 'snooze'
          ? { snooze: until === undefined ? {} : { until } }
          : {
              add_tags: tagsIn(fields, 'add_tags', added),
              remove_tags: tagsIn(fields, 'remove_tags', removed),
            }
      const answer = await actOnSeveral(tickets, acts)
      if (answer.status !== 200) return answer
      onClose()
      return undefined
    },
    { about: tickets.map(({ id }) => id).join(' ') },
  )
  const count = tickets.length
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title={kind === 'snooze' ? m.desk_several_snooze({ count }) : m.desk_several_tags({ count })}
      form={form}
      act={kind === 'snooze' ? m.desk_snooze() : m.ui_save()}
    >
      {kind === 'snooze' ? (
        <SnoozeFields />
      ) : (
        <>
          <TagsField name="add_tags" label={m.desk_tag_add()} chosen={added} onChange={setAdded} />
          <TagsField name="remove_tags" label={m.desk_tag_take()} chosen={removed} onChange={setRemoved} />
        </>
      )}
    </FormDialog>
  )
}
