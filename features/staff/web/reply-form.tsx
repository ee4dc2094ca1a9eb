import type { CannedReply } from '#features/staff/contract.ts'
import { lengths } from '#features/staff/rules.ts'
import { Form, SubmitButton } from '#foundation/web/form/form.tsx'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useForm } from '#foundation/web/form/use-form.ts'
import { localeNames, useLocale } from '#foundation/web/i18n/locale.ts'
import { locales } from '#foundation/locale.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { DialogActions } from '#foundation/web/ui/dialog.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextAreaField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { saveReply } from './reply-calls.ts'

/** A canned reply, new or changed. */
export function ReplyForm({ reply, onDone }: { reply: CannedReply | undefined; onDone: () => void }) {
  const locale = useLocale()
  const intend = useIntention()
  const form = useForm(async (fields) => {
    const body = {
      title: fields.text('title'),
      text: fields.text('text'),
      language: fields.text('language') as CannedReply['language'],
    }
    const answer = await intend(body, (headers) => saveReply(reply?.id, body, headers))
    if (answer.status !== 200 && answer.status !== 201) return answer
    toastSuccess(m.staff_reply_saved)
    onDone()
    return undefined
  })
  return (
    <Form form={form} label={m.staff_replies()}>
      <div className="grid gap-4 sm:grid-cols-[1fr_10rem]">
        <TextField
          name="title"
          label={m.staff_reply_title()}
          maxLength={lengths.title}
          defaultValue={reply?.title}
          autoComplete="off"
        />
        <SelectField
          name="language"
          label={m.staff_reply_language()}
          defaultValue={reply?.language ?? locale}
          options={locales.map((value) => ({ value, label: localeNames[value] }))}
        />
      </div>
      <TextAreaField
        name="text"
        label={m.staff_reply_text()}
        hint={m.staff_reply_hint({ customer: '{customer}', me: '{me}' })}
        rows={8}
        maxLength={lengths.text}
        defaultValue={reply?.text}
      />
      <DialogActions>
        <Button onClick={onDone}>{m.ui_cancel()}</Button>
        <SubmitButton>{m.ui_save()}</SubmitButton>
      </DialogActions>
    </Form>
  )
}
