import { dateForms, decimals, delimiters, encodings, type CsvForm } from '#features/banking/csv-profile.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

const COLUMNS = [
  ['date', m.banking_csv_date, true],
  ['amount', m.banking_csv_amount, true],
  ['payer', m.banking_csv_payer, false],
  ['iban', m.banking_csv_iban, false],
  ['text', m.banking_csv_purpose, false],
  ['currency', m.banking_csv_currency, false],
] as const

/** The fields for the form of a bank's CSV: the names of its columns, and the forms of days and amounts. */
export const CsvFields = ({ onChange }: { onChange: () => void }) => (
  <div className="flex flex-col gap-4" onInput={onChange}>
    <TextField name="bank" label={m.banking_csv_name()} most={60} autoComplete="off" required />
    <p className="text-sm text-pretty text-muted">{m.banking_csv_columns()}</p>
    <div className="grid gap-4 sm:grid-cols-2">
      {COLUMNS.map(([name, label, required]) => (
        <TextField
          key={name}
          name={name}
          label={required ? label() : m.banking_csv_optional({ what: label() })}
          most={100}
          autoComplete="off"
          required={required}
        />
      ))}
      <SelectField
        name="date_form"
        label={m.banking_csv_date_form()}
        options={dateForms.map((value) => ({ value, label: DAYS[value] }))}
      />
      <SelectField
        name="decimal"
        label={m.banking_csv_decimal()}
        options={decimals.map((value) => ({ value, label: value === ',' ? '1.234,56' : '1,234.56' }))}
      />
      <SelectField
        name="delimiter"
        label={m.banking_csv_delimiter()}
        options={delimiters.map((value) => ({
          value,
          label: value === 'tab' ? m.banking_csv_tab() : value,
        }))}
      />
      <SelectField
        name="encoding"
        label={m.banking_csv_encoding()}
        options={encodings.map((value) => ({ value, label: value.toUpperCase() }))}
      />
    </div>
  </div>
)

/** The same day in each form. */
const DAYS: Readonly<Record<CsvForm['date_form'], string>> = {
  'dd.mm.yyyy': '31.12.2026',
  'yyyy-mm-dd': '2026-12-31',
  'dd/mm/yyyy': '31/12/2026',
  'mm/dd/yyyy': '12/31/2026',
  'dd.mm.yy': '31.12.26',
}

export function formIn(fields: FormFields): CsvForm {
  const one = <Value extends string>(name: string, known: readonly [Value, ...Value[]]) =>
    known.find((value) => value === fields.text(name)) ?? known[0]
  return {
    delimiter: one('delimiter', delimiters),
    encoding: one('encoding', encodings),
    date_form: one('date_form', dateForms),
    decimal: one('decimal', decimals),
    date: fields.text('date').trim(),
    amount: fields.text('amount').trim(),
    currency: fields.text('currency').trim(),
    payer: fields.text('payer').trim(),
    iban: fields.text('iban').trim(),
    text: fields.text('text').trim(),
  }
}
