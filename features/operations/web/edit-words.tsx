import { useState, type InputEvent } from 'react'
import {
  changeWords,
  readCompany,
  type CompanyPage,
  type WordsData,
} from '#features/operations/company-contract.ts'
import { LONGEST_CLOSING, WORDS } from '#features/operations/company-fields.ts'
import { locales, type Locale } from '#foundation/locale.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { TextAreaField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

/** The words at the end of mails, each beside a real mail that carries them while they are typed. */
export function EditWords({ seller, onClose }: { seller: CompanyPage; onClose: () => void }) {
  const { withProof, dialog } = useReauthentication()
  const { words } = seller
  const [typed, setTyped] = useState<Readonly<Record<string, string | number>>>(words)
  const form = useEditForm({
    saved: words,
    save: ({ closing_en, closing_de, closing_ru }, version) =>
      withProof(() => call(changeWords, { body: { closing_en, closing_de, closing_ru, version } })),
    onDone(saved) {
      refreshQueries(readCompany)
      if (saved) toastSuccess(() => m.operations_company_saved())
      onClose()
    },
  })
  const follow = ({ target }: InputEvent) => {
    if (target instanceof HTMLTextAreaElement) setTyped({ ...typed, [target.name]: target.value })
  }
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title={m.operations_company_words()}
      description={m.operations_company_words_text()}
      form={form}
      act={m.ui_save()}
      label={m.operations_company_words()}
      proof={dialog}
    >
      <div className="flex flex-col gap-4" onInput={follow}>
        {locales.map((locale) => (
          <div key={locale} className="flex flex-col gap-2">
            <TextAreaField
              name={nameOf(locale)}
              label={closingTexts[locale]()}
              hint={m.operations_company_words_hint({ name: '{operator}', email: '{support_email}' })}
              defaultValue={words[nameOf(locale)]}
              most={LONGEST_CLOSING}
              rows={3}
            />
            <Example seller={seller} locale={locale} closing={String(typed[nameOf(locale)])} />
          </div>
        ))}
      </div>
    </FormDialog>
  )
}

const nameOf = (locale: Locale): Exclude<keyof WordsData, 'version'> => `closing_${locale}`

export const closingTexts: Readonly<Record<Locale, () => string>> = {
  en: m.operations_company_closing_en,
  de: m.operations_company_closing_de,
  ru: m.operations_company_closing_ru,
}

/** A real mail with example data, as the server writes it. */
function Example({ seller, locale, closing }: { seller: CompanyPage; locale: Locale; closing: string }) {
  const { operator_name, support_email } = seller.company
  const filled = closing
    .trim()
    .replaceAll('{operator}', () => operator_name)
    .replaceAll('{support_email}', () => support_email)
  const mail = seller.mails[locale].replace(filled === '' ? `${WORDS}\n\n` : WORDS, () => filled)
  return (
    <details className="rounded-md border border-line bg-sunken px-4 py-3 text-sm">
      <summary className="cursor-pointer font-medium">{m.operations_company_mail()}</summary>
      <p lang={locale} className="mt-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
        {mail}
      </p>
    </details>
  )
}
