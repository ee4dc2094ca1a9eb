import { useMemo } from 'react'
import {
  createHelpSection,
  deleteHelpSection,
  updateHelpSection,
  type HelpSection,
} from '#features/help/section-contract.ts'
import { listHelp } from '#features/help/staff-contract.ts'
import { SLUG_LENGTH, TITLE_LENGTH } from '#features/help/rules.ts'
import { locales } from '#foundation/locale.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { fieldsOf, wordsIn } from './words.ts'

/** Adds a section, which is shown once it has a published article. */
export const NewSection = (dialog: DialogProps) => (
  <ActDialog
    {...dialog}
    title={m.help_section_new()}
    act={m.help_section_new()}
    submit={async (fields, send) => {
      const title = Object.fromEntries(locales.map((locale) => [locale, fields.text(`title.${locale}`)]))
      const body = { slug: fields.text('slug'), rank: Number(fields.text('rank')), title }
      const answer = await send(body, (headers) => call(createHelpSection, { headers, body }))
      if (!answer) return undefined
      refreshQueries(listHelp)
      if (answer.status !== 201) return answer
      toastSuccess(() => m.help_saved())
      return dialog.onClose()
    }}
  >
    <Fields />
  </ActDialog>
)

type EditProps = DialogProps & { section: HelpSection; isEmpty: boolean }

export const EditSection = ({ open, onClose, ...rest }: EditProps) => (
  <Dialog open={open} onClose={onClose} title={m.help_section_edit()}>
    <EditFields onClose={onClose} {...rest} />
  </Dialog>
)

function EditFields({ section, isEmpty, onClose }: Omit<EditProps, 'open'>) {
  const saved = useMemo(() => draftOf(section), [section])
  const form = useEditForm({
    saved,
    save: async (changes, version) => {
      const title = wordsIn(changes, 'title')
      const { slug, rank } = changes
      const answer = await call(updateHelpSection, {
        params: { sectionId: section.id },
        body: {
          ...(slug === undefined ? {} : { slug }),
          ...(rank === undefined ? {} : { rank: Number(rank) }),
          ...(title && { title }),
          version,
        },
      })
      refreshQueries(listHelp)
      if (answer.status === 200) return { ...answer, body: draftOf(answer.body) }
      if (answer.status === 409 && 'present' in answer.body)
        return { ...answer, body: { ...answer.body, present: draftOf(answer.body.present) } }
      return answer
    },
    onDone: () => {
      toastSuccess(() => m.help_saved())
      onClose()
    },
  })
  const remove = useAct(async () => {
    const answer = await call(deleteHelpSection, { params: { sectionId: section.id } })
    refreshQueries(listHelp)
    if (answer.status === 204) toastSuccess(() => m.help_section_deleted())
    if (answer.status === 204 || answer.status === 404) onClose()
    else toastError(m.help_delete_failed, answer)
  })
  return (
    <DialogForm form={form} act={m.ui_save()} label={m.help_section_edit()} onClose={onClose}>
      <Fields saved={saved} />
      {isEmpty ? (
        <div>
          <Button look="outline" size="small" pending={remove.pending} onClick={remove.run}>
            {m.help_section_delete()}
          </Button>
        </div>
      ) : (
        <p className="text-sm text-muted">{m.help_section_full()}</p>
      )}
    </DialogForm>
  )
}

type Draft = { version: number; [field: string]: string | number }

const draftOf = ({ id, slug, rank, title, version }: HelpSection): Draft => ({
  id,
  version,
  slug,
  rank: String(rank),
  ...fieldsOf('title', title),
})

function Fields({ saved }: { saved?: Draft }) {
  const textIn = (name: string) => saved && String(saved[name] ?? '')
  return (
    <>
      {locales.map((locale) => (
        <TextField
          key={locale}
          name={`title.${locale}`}
          lang={locale}
          label={m.help_title_in({ language: localeNames[locale] })}
          most={TITLE_LENGTH}
          defaultValue={textIn(`title.${locale}`)}
          autoComplete="off"
        />
      ))}
      <PlaceFields slug={textIn('slug')} rank={textIn('rank') ?? '100'} />
    </>
  )
}

/** The part of the address, and the place in the order: the smaller number stands first. */
export const PlaceFields = ({ slug, rank }: { slug: string | undefined; rank: string }) => (
  <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
    <TextField
      name="slug"
      label={m.help_slug()}
      hint={m.help_slug_hint()}
      most={SLUG_LENGTH}
      defaultValue={slug}
      autoCapitalize="none"
      spellCheck={false}
      autoComplete="off"
      mono
    />
    <TextField name="rank" label={m.help_rank()} inputMode="numeric" defaultValue={rank} autoComplete="off" />
  </div>
)
