import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import {
  addBankProfile,
  importStatement,
  listBankProfiles,
  previewCsv,
  type BankImport,
  type BankProfile,
  type CsvInspection,
  type CsvPreview,
} from '#features/banking/contract.ts'
import { csvColumns, type CsvForm } from '#features/banking/csv-profile.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { upload } from '#foundation/web/api/upload.ts'
import { ActDialog, type Send } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import type { FormError } from '#foundation/web/form/use-form.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { List, ListRow, TitleAmount } from '#foundation/web/ui/list.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { CsvFields, formIn } from './csv-fields.tsx'
import { refreshLines } from './hooks.ts'
import { dayText } from './line-texts.ts'

type Props = DialogProps & {
  file: File
  /** The file's columns, and its form as far as it shows it. */
  inspection: CsvInspection
  onImported: (imported: BankImport) => void
}
type Shown = { form: CsvForm; preview: CsvPreview }

const NEW = 'new'

/** Asks how the bank writes its CSV, as far as the file leaves it open, shows the first payments as they would be imported, and imports the file. */
export function ImportCsv({ file, inspection, onImported, ...dialog }: Props) {
  const profiles = useQuery(queryFor(listBankProfiles)).data?.items
  const [chosen, setChosen] = useState<string>()
  const [isChanging, setIsChanging] = useState(false)
  const [shown, setShown] = useState<Shown>()
  const usual = profiles?.find(({ form }) => fits(form, inspection))?.id ?? NEW
  const profile = profiles?.find(({ id }) => id === (chosen ?? usual))
  const submit = async (fields: FormFields, send: Send) => {
    const form = profile && !isChanging ? profile.form : formIn(fields)
    if (!shown || !isEqual(shown.form, form)) {
      const answer = await send(form, () =>
        upload(previewCsv, file, { ...sending(), query: { form: JSON.stringify(form) } }),
      )
      if (!answer) return undefined
      if (answer.status !== 200) {
        // The form that was described before does not say enough for this file: a person says the rest.
        setIsChanging(true)
        return answer
      }
      return setShown({ form, preview: answer.body })
    }
    const saved = profile && !isChanging ? profile : await save(fields.text('bank'), form)
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
          setIsChanging(false)
          setShown(undefined)
        }}
        options={[
          ...profiles.map(({ id, name }) => ({ value: id, label: name })),
          { value: NEW, label: m.banking_csv_new() },
        ]}
      />
      {profile && !isChanging ? (
        <div>
          <Button size="small" onClick={() => setIsChanging(true)}>
            {m.banking_csv_change()}
          </Button>
        </div>
      ) : (
        <CsvFields
          key={profile?.id ?? NEW}
          form={profile?.form ?? inspection.form}
          bank={profile?.name ?? ''}
          columns={inspection.columns}
          asked={profile ? [] : inspection.asked}
          onChange={() => setShown(undefined)}
        />
      )}
      {shown ? <First preview={shown.preview} /> : null}
    </ActDialog>
  )
}

const sending = () => ({ signal: new AbortController().signal, onProgress: () => {} })

/** True if the file has all columns that a form names. */
const fits = (form: CsvForm, { columns }: CsvInspection): boolean =>
  csvColumns.every(
    (column) => form[column] === '' || columns.some(({ name }) => isSameName(name, form[column])),
  )

const isSameName = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const isEqual = (one: CsvForm, other: CsvForm): boolean => JSON.stringify(one) === JSON.stringify(other)

async function save(bank: string, form: CsvForm): Promise<BankProfile | FormError> {
  const answer = await call(addBankProfile, { body: { name: bank, form } })
  if (answer.status !== 201) return answer
  refreshQueries(listBankProfiles)
  return answer.body
}

/** The first payments as they would be imported. */
const First = ({ preview: { first, odd, pending } }: { preview: CsvPreview }) => (
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
    {odd > 0 ? <p>{m.banking_csv_odd({ count: odd })}</p> : null}
    {pending > 0 ? <p>{m.banking_imported_pending({ count: pending })}</p> : null}
  </div>
)
