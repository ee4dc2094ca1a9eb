import { useMemo, useRef } from 'react'
import { addEdition, changeEdition, type Edition } from '#features/catalogue/contract.ts'
import { locales } from '#foundation/locale.ts'
import { call } from '#foundation/web/api/call.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { m } from '#texts/messages.js'
import { bodyOf, draftOf, newBodyOf, type EditionDraft, type Fields } from './edition-draft.ts'
import { EditionFields } from './edition-fields.tsx'
import { refreshPlans } from './hooks.ts'

export function NewEdition({ open, onClose }: DialogProps) {
  const { withProof, dialog } = useReauthentication()
  const form = useForm(async (fields) => {
    const names = [...locales.flatMap(namesIn), 'entitlements', 'rank', 'trial_days', 'slug']
    const read = newBodyOf(Object.fromEntries(names.map((name) => [name, fields.text(name)])))
    if ('errors' in read) return read
    const product = fields.text('product')
    const body = { ...read.body, ...(product && { product }) }
    const answer = await withProof(() => call(addEdition, { body }))
    if (!answer) return undefined
    if (answer.status !== 201) return answer
    refreshPlans()
    const { name } = answer.body
    toastSuccess(() => m.catalogue_edition_added({ edition: name[currentLocale()] }))
    onClose()
    return undefined
  })
  return (
    <FormDialog
      open={open}
      wide
      onClose={onClose}
      title={m.catalogue_edition_add()}
      description={m.catalogue_edition_add_text()}
      form={form}
      act={m.catalogue_edition_add()}
      proof={dialog}
    >
      <EditionFields />
    </FormDialog>
  )
}

const namesIn = (locale: string) => [`name.${locale}`, `description.${locale}`, `features.${locale}`]

export function EditEdition({ edition, open, onClose }: DialogProps & { edition: Edition }) {
  const draft = useMemo(() => draftOf(edition), [edition])
  // The API takes the features of all languages as one list, so unchanged languages are sent as in the latest answer.
  const answered = useRef<EditionDraft>(draft)
  const { withProof, dialog } = useReauthentication()
  const form = useEditForm({
    saved: draft,
    async save(changes, version) {
      const latest = answered.current.version > draft.version ? answered.current : draft
      const read = bodyOf(changes, { ...textsOf(latest), ...changes })
      if ('errors' in read) return { status: 400, body: undefined, ...read }
      const body = { ...read.body, version }
      const answer = await withProof(() => call(changeEdition, { params: { slug: edition.slug }, body }))
      if (!answer) return undefined
      if (answer.status === 200) return { ...answer, body: draftOf(answer.body) }
      if (answer.status === 409 && 'present' in answer.body) {
        answered.current = draftOf(answer.body.present)
        return { ...answer, body: { ...answer.body, present: answered.current } }
      }
      return answer
    },
    onDone(saved) {
      refreshPlans()
      if (saved) toastSuccess(() => m.catalogue_edition_saved())
      onClose()
    },
  })
  const title = m.catalogue_edition_edit_of({ edition: edition.name[currentLocale()] })
  return (
    <FormDialog
      open={open}
      wide
      onClose={onClose}
      title={title}
      description={m.catalogue_edition_edit_text()}
      form={form}
      act={m.catalogue_edition_save()}
      label={title}
      proof={dialog}
    >
      <EditionFields draft={draft} />
    </FormDialog>
  )
}

const textsOf = (draft: EditionDraft): Fields =>
  Object.fromEntries(Object.entries(draft).map(([name, value]) => [name, String(value)]))
