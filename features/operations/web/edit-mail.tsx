import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import {
  changeMailWords,
  LONGEST,
  listMailKinds,
  readMailKind,
  type ListedKind,
  type MailKindPage,
  type MailText,
  type MailWords,
} from '#features/operations/mail-contract.ts'
import type { Locale } from '#foundation/locale.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { DialogForm } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { TextAreaField, TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { closingTexts } from './edit-words.tsx'
import { MailPreview } from './mail-preview.tsx'
import { MailHistory } from './mail-history.tsx'

type Props = { kind: ListedKind; locale: Locale; onClose: () => void }

/** The texts of a kind of mail in a language, with what stands there as ours, a preview, and the way back. */
export function EditMail({ kind: { kind, subject }, locale, onClose }: Props) {
  const query = useQuery({ ...queryFor(readMailKind, { params: { kind, locale } }), staleTime: 0 })
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`${subject[locale]} · ${closingTexts[locale]()}`}
      description={m.operations_mails_empty()}
    >
      <Loaded query={query} failed={m.operations_mails_failed()}>
        {(page) => <Texts page={page} params={{ kind, locale }} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

type TextsProps = { page: MailKindPage; params: { kind: string; locale: Locale }; onClose: () => void }

function Texts({ page, params, onClose }: TextsProps) {
  const { withProof, dialog } = useReauthentication()
  const done = () => {
    refreshQueries(readMailKind)
    refreshQueries(listMailKinds)
    onClose()
  }
  const { kind, locale } = params
  const saved = useMemo(() => fieldsOf(page.words, { kind, locale }), [page.words, kind, locale])
  const form = useEditForm<Fields>({
    saved,
    async save({ version: _version, ...words }, version) {
      const body = { words: filled(words), version }
      const answer = await withProof(() => call(changeMailWords, { params, body }))
      if (answer?.status === 200) return { ...answer, body: fieldsOf(answer.body, params) }
      if (answer?.status !== 409) return answer
      return { ...answer, body: { ...answer.body, present: fieldsOf(answer.body.present, params) } }
    },
    onDone(kept) {
      if (kept) toastSuccess(() => m.operations_company_saved())
      done()
    },
  })
  return (
    <>
      <DialogForm form={form} act={m.ui_save()} label={m.operations_mails()} onClose={onClose}>
        <div className="flex flex-col gap-4" lang={params.locale}>
          {page.texts.map((text) => (
            <OneText
              key={text.name}
              text={text}
              words={page.words.words[text.name] ?? ''}
              number={1 + page.texts.filter(({ part }) => part === text.part).indexOf(text)}
            />
          ))}
        </div>
        <MailPreview page={page} params={params} />
        <MailHistory page={page} section={`mail_${params.kind}`} onDone={done} />
      </DialogForm>
      {dialog}
    </>
  )
}

type Fields = Record<string, string | number>

const fieldsOf = ({ words, version }: MailWords, { kind, locale }: TextsProps['params']): Fields => ({
  ...words,
  version,
  id: `${kind}/${locale}`,
})

/** Only the controls of texts are in the form, and each has a text. */
const filled = (typed: Readonly<Record<string, string | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(typed).map(([name, words]) => [name, words ?? '']))

function OneText({ text, words, number }: { text: MailText; words: string; number: number }) {
  const { name, part, ours, placeholders, required } = text
  const named = (names: readonly string[]) => names.map((each) => `{${each}}`).join(' ')
  const possible = placeholders.filter((placeholder) => !required.includes(placeholder))
  const hint = [
    m.operations_mails_ours({ text: ours }),
    ...(required.length > 0 ? [m.operations_mails_needed({ names: named(required) })] : []),
    m.operations_mails_possible({ names: named(possible) }),
  ].join(' · ')
  const field = { name, hint, defaultValue: words, most: LONGEST[part] }
  return part === 'subject' ? (
    <TextField label={m.operations_mails_subject({ number })} {...field} />
  ) : (
    <TextAreaField label={m.operations_mails_part({ number })} rows={3} {...field} />
  )
}
