import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addBankProfile,
  importStatement,
  listBankProfiles,
  previewCsv,
  type BankImport,
  type BankProfile,
  type CsvPreview,
} from '#features/banking/contract.ts'
import type { CsvForm } from '#features/banking/csv-profile.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { upload } from '#foundation/web/api/upload.ts'
import { ActDialog, type Send } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import type { FormError } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { List, ListRow, TitleAmount } from '#foundation/web/ui/list.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { CsvFields, formIn } from './csv-fields.tsx'
import { refreshLines } from './hooks.ts'
import { dayText } from './line-texts.ts'

type Props = DialogProps & { file: File; onImported: (imported: BankImport) => void }
type Shown = { form: CsvForm; preview: CsvPreview }

const NEW = 'new'

/** Asks how the bank writes its CSV, shows the first payments as they would be imported, and then imports the file. */
export function ImportCsv({ file, onImported, ...dialog }: Props) {
  const profiles = useQuery(queryFor(listBankProfiles)).data?.items
  const [chosen, setChosen] = useState<string>()
  const [shown, setShown] = useState<Shown>()
  const profile = profiles?.find(({ id }) => id === (chosen ?? profiles[0]?.id))
  const submit = async (fields: FormFields, send: Send) => {
    const form = profile ? profile.form : formIn(fields)
    if (!shown || !isEqual(shown.form, form)) {
      const answer = await send(form, () =>
        upload(previewCsv, file, { ...sending(), query: { form: JSON.stringify(form) } }),
      )
      if (!answer) return undefined
      if (answer.status !== 200) return answer
      return setShown({ form, preview: answer.body })
    }
    const saved = profile ?? (await save(fields.text('bank'), form))
    if ('errors' in saved) return saved
    const query = { profile: saved.id }
    const answer = await send(query, () => upload(importStatement, file, { ...sending(), query }))
    if (!answer) return undefined
    if (answer.status !== 200 && answer.status !== 201) return answer
    onImported(answer.body)
    refreshLines()
    return dialog.onClose()
  }
  if (!profiles) return null
  return (
    <ActDialog
      {...dialog}
      title={m.banking_csv_title({ name: file.name })}
      description={m.banking_csv_text()}
      act={shown ? m.banking_csv_import({ count: shown.preview.lines }) : m.banking_csv_preview()}
      submit={submit}
    >
      <SelectField
        name="profile"
        label={m.banking_csv_bank()}
        value={profile?.id ?? NEW}
        onChange={({ target }) => {
          setChosen(target.value)
          setShown(undefined)
        }}
        options={[
          ...profiles.map(({ id, name }) => ({ value: id, label: name })),
          { value: NEW, label: m.banking_csv_new() },
        ]}
      />
      {profile ? null : <CsvFields onChange={() => setShown(undefined)} />}
      {shown ? <First preview={shown.preview} /> : null}
    </ActDialog>
  )
}

const sending = () => ({ signal: new AbortController().signal, onProgress: () => {} })

const isEqual = (one: CsvForm, other: CsvForm): boolean => JSON.stringify(one) === JSON.stringify(other)

async function save(bank: string, form: CsvForm): Promise<BankProfile | FormError> {
  const answer = await call(addBankProfile, { body: { name: bank, form } })
  if (answer.status !== 201) return answer
  refreshQueries(listBankProfiles)
  return answer.body
}

/** The first payments as they would be imported. */
const First = ({ preview: { first } }: { preview: CsvPreview }) => (
  <div role="status" className="flex flex-col gap-2 text-sm">
    <p className="font-medium">{m.banking_csv_first()}</p>
    <List label={m.banking_csv_first()}>
      {first.map((line, place) => (
        <ListRow
          key={place}
          title={
            <>
              <TitleAmount amount={line.amount} />
              <bdi className="font-normal">{line.name || line.iban}</bdi>
            </>
          }
          detail={[dayText(line.booked_on), line.text].filter(Boolean).join(' · ')}
        />
      ))}
    </List>
  </div>
)
