import { useMemo } from 'react'
import { must } from '#foundation/must.ts'
import type { CannedReply } from '#features/support/desk/contract.ts'
import { lengths } from '#features/support/desk/rules.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { localeNames } from '#foundation/web/i18n/locale-names.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { locales, type Locale } from '#foundation/locale.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextAreaField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { hasActs } from './acts-text.ts'
import { actsFrom, flatActs, newActs } from './macro-acts.ts'
import { MacroFields } from './macro-fields.tsx'
import { createReply, updateReply } from './reply-hooks.ts'

/** Returns the chosen language. Throws for a text that is none of the options of the form. */
const languageIn = (text: string): Locale =>
  must(
    locales.find((locale) => locale === text),
    'language',
  )

export function NewReply({ onDone }: { onDone: () => void }) {
  const intend = useIntention()
  const form = useForm(async (fields) => {
    const acts = newActs(fields)
    const body = {
      title: fields.text('title'),
      text: fields.text('text'),
      language: languageIn(fields.text('language')),
      ...(hasActs(acts) ? { acts } : {}),
    }
    const answer = await intend(body, (headers) => createReply(body, headers))
    if (answer.status !== 201) return answer
    toastSuccess(m.desk_reply_saved)
    onDone()
    return undefined
  })
  return (
    <DialogForm form={form} act={m.ui_save()} label={m.desk_replies()} onClose={onDone}>
      <Fields />
    </DialogForm>
  )
}

/**
 * All staff edit the same replies: a change that a colleague saved meanwhile is shown beside the text typed
 * here.
 */
export function ChangeReply({ reply, onDone }: { reply: CannedReply; onDone: () => void }) {
  // The form takes a new object for news from the server.
  const saved = useMemo(() => flatReply(reply), [reply])
  const form = useEditForm({
    saved,
    save: async ({ title, text, language, ...rest }, version) => {
      const answer = await updateReply(reply.id, {
        ...(title === undefined ? {} : { title }),
        ...(text === undefined ? {} : { text }),
        ...(language === undefined ? {} : { language: languageIn(language) }),
        ...(hasActs(actsFrom(rest)) ? { acts: actsFrom(rest) } : {}),
        version,
      })
      // The form compares texts, each act under a name of its own.
      if (answer.status === 200) return { ...answer, body: flatReply(answer.body) }
      if (answer.status === 409)
        return { ...answer, body: { ...answer.body, present: flatReply(answer.body.present) } }
      return answer
    },
    onDone: () => {
      toastSuccess(m.desk_reply_saved)
      onDone()
    },
  })
  return (
    <DialogForm form={form} act={m.ui_save()} label={m.desk_replies()} onClose={onDone}>
      <Fields reply={reply} />
    </DialogForm>
  )
}

const flatReply = (reply: CannedReply) => ({ ...reply, ...flatActs(reply.acts) })

function Fields({ reply }: { reply?: CannedReply }) {
  const locale = useLocale()
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
        <TextField
          name="title"
          label={m.desk_reply_title()}
          most={lengths.title}
          defaultValue={reply?.title}
          autoComplete="off"
        />
        <SelectField
          name="language"
          label={m.desk_reply_language()}
          defaultValue={reply?.language ?? locale}
          options={locales.map((value) => ({ value, label: localeNames[value] }))}
        />
      </div>
      <TextAreaField
        name="text"
        label={m.desk_reply_text()}
        hint={m.desk_reply_hint({ customer: '{customer}', me: '{me}' })}
        rows={8}
        most={lengths.text}
        defaultValue={reply?.text}
      />
      <MacroFields acts={flatActs(reply?.acts ?? {})} />
    </>
  )
}
