import { useMemo } from 'react'
import type { DeskView, ViewFilter } from '#features/support/desk/view-contract.ts'
import { lengths } from '#features/support/desk/rules.ts'
import { DialogForm, FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { useFilterWords } from './filter-words.ts'
import { createView, updateView } from './view-hooks.ts'

/** The dialog that saves the filter of the list under a name. */
export function NewViewDialog({ filter, open, onClose }: DialogProps & { filter: ViewFilter }) {
  const intend = useIntention()
  const words = useFilterWords()
  const form = useForm(async (fields) => {
    const body = { name: fields.text('name'), shared: fields.text('whom') === 'all', filter }
    const answer = await intend(body, (headers) => createView(body, headers))
    if (answer.status !== 201) return answer
    toastSuccess(m.desk_view_saved)
    onClose()
    return undefined
  })
  return (
    <FormDialog open={open} onClose={onClose} title={m.desk_view_title()} form={form} act={m.ui_save()}>
      <Fields />
      <p className="text-sm text-muted">{m.desk_view_keeps({ filter: words.all(filter) })}</p>
    </FormDialog>
  )
}

/** The form that changes a view. One of the whole team is changed by all: what a colleague saved meanwhile is shown beside what is typed here. */
export function ChangeView({
  view,
  filter,
  onDone,
}: {
  view: DeskView
  /** The filter of the list just now, which the view may take. */
  filter: ViewFilter
  onDone: () => void
}) {
  const words = useFilterWords()
  // The form takes a new object for news from the server.
  const saved = useMemo(() => flat(view), [view])
  const form = useEditForm({
    saved,
    save: async ({ name, whom, takes }, version) => {
      const answer = await updateView(view.id, {
        ...(name === undefined ? {} : { name }),
        ...(whom === undefined ? {} : { shared: whom === 'all' }),
        ...(takes === undefined ? {} : { filter }),
        version,
      })
      // The form compares texts.
      if (answer.status === 200) return { ...answer, body: flat(answer.body) }
      if (answer.status === 409)
        return { ...answer, body: { ...answer.body, present: flat(answer.body.present) } }
      return answer
    },
    onDone: () => {
      toastSuccess(m.desk_view_saved)
      onDone()
    },
  })
  return (
    <DialogForm form={form} act={m.ui_save()} label={m.desk_views_managed()} onClose={onDone}>
      <Fields view={view} />
      <CheckboxField name="takes" label={m.desk_view_takes()} hint={words.all(filter)} />
    </DialogForm>
  )
}

/** Returns the fields of a view under the names of the controls. */
const flat = ({ id, name, shared, version }: DeskView) => ({
  id,
  name,
  whom: shared ? 'all' : 'me',
  takes: false,
  version,
})

function Fields({ view }: { view?: DeskView }) {
  return (
    <>
      <TextField
        name="name"
        label={m.desk_view_name()}
        most={lengths.view}
        defaultValue={view?.name}
        autoComplete="off"
      />
      <SelectField
        name="whom"
        label={m.desk_view_for()}
        defaultValue={view?.shared ? 'all' : 'me'}
        options={[
          { value: 'me', label: m.desk_view_for_me() },
          { value: 'all', label: m.desk_view_for_all() },
        ]}
      />
    </>
  )
}
