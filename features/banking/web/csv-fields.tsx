import type { CsvInspection } from '#features/banking/contract.ts'
import {
  dateForms,
  decimals,
  delimiters,
  encodings,
  type CsvForm,
  type CsvGuess,
  type CsvQuestion,
} from '#features/banking/csv-profile.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

const COLUMNS = [
  ['date', m.banking_csv_date, true],
  ['amount', m.banking_csv_amount, false],
  ['credit', m.banking_csv_credit, false],
  ['debit', m.banking_csv_debit, false],
  ['payer', m.banking_csv_payer, false],
  ['iban', m.banking_csv_iban, false],
  ['text', m.banking_csv_purpose, false],
  ['currency', m.banking_csv_currency, false],
  ['state', m.banking_csv_state, false],
] as const

type Props = {
  /** The form to begin with: as the file shows it, or as it was described before. */
  form: CsvGuess
  bank: string
  columns: CsvInspection['columns']
  /** The parts of the form that the file leaves open. */
  asked: readonly CsvQuestion[]
  onChange: () => void
}

/** The fields for the form of a bank's CSV: its columns, chosen among those of the file, and the forms of days and amounts. */
export function CsvFields({ form, bank, columns, asked, onChange }: Props) {
  const named = columnOptions(columns, form)
  const hintFor = (question: string) =>
    asked.some((one) => one === question) ? m.banking_csv_asked() : undefined
  return (
    <div className="flex flex-col gap-4" onInput={onChange}>
      <TextField
        name="bank"
        label={m.banking_csv_name()}
        most={60}
        autoComplete="off"
        defaultValue={bank}
        required
      />
      <p className="text-sm text-pretty text-muted">{m.banking_csv_columns()}</p>
      <div className="grid gap-4 *:min-w-0 sm:grid-cols-2">
        {COLUMNS.map(([name, label, required]) => (
          <SelectField
            key={name}
            name={name}
            label={label()}
            hint={hintFor(name)}
            options={named}
            empty={m.banking_csv_no_column()}
            defaultValue={form[name]}
            required={required}
          />
        ))}
        <SelectField
          name="direction"
          label={m.banking_csv_direction()}
          hint={hintFor('direction')}
          options={[{ value: MINUS, label: m.banking_csv_minus() }, ...named]}
          empty={m.banking_csv_unsaid()}
          defaultValue={form.sign === 'minus' ? MINUS : form.direction}
        />
        <SelectField
          name="date_form"
          label={m.banking_csv_date_form()}
          hint={hintFor('date_form')}
          options={dateForms.map((value) => ({ value, label: DAYS[value] }))}
          {...(asked.includes('date_form') ? { empty: m.banking_csv_unsaid() } : {})}
          defaultValue={asked.includes('date_form') ? '' : form.date_form}
          required
        />
        <SelectField
          name="decimal"
          label={m.banking_csv_decimal()}
          hint={hintFor('decimal')}
          options={decimals.map((value) => ({ value, label: value === ',' ? '1.234,56' : '1,234.56' }))}
          {...(asked.includes('decimal') ? { empty: m.banking_csv_unsaid() } : {})}
          defaultValue={asked.includes('decimal') ? '' : form.decimal}
          required
        />
        <SelectField
          name="delimiter"
          label={m.banking_csv_delimiter()}
          options={delimiters.map((value) => ({
            value,
            label: value === 'tab' ? m.banking_csv_tab() : value,
          }))}
          defaultValue={form.delimiter}
        />
        <SelectField
          name="encoding"
          label={m.banking_csv_encoding()}
          options={encodings.map((value) => ({ value, label: value.toUpperCase() }))}
          defaultValue={form.encoding}
        />
      </div>
    </div>
  )
}

/** The choice that money that went out has a minus sign, among the names of columns. */
const MINUS = '\u{2212}minus'

/** Returns the columns of the file, each with its first value, and those that the form names and the file lacks. */
function columnOptions(columns: CsvInspection['columns'], form: CsvGuess) {
  const missing = [...COLUMNS.map(([name]) => form[name]), form.direction].filter(
    (name) => name !== '' && !columns.some((column) => column.name === name),
  )
  return [
    ...columns.map(({ name, samples: [first] }) => ({
      value: name,
      label: first === undefined ? name : m.banking_csv_column({ name, example: first }),
    })),
    ...[...new Set(missing)].map((name) => ({ value: name, label: m.banking_csv_missing({ name }) })),
  ]
}

/** The same day in each form. */
const DAYS: Readonly<Record<CsvForm['date_form'], string>> = {
  'dd.mm.yyyy': '31.12.2026',
  'yyyy-mm-dd': '2026-12-31',
  'dd/mm/yyyy': '31/12/2026',
  'mm/dd/yyyy': '12/31/2026',
  'dd.mm.yy': '31.12.26',
  yyyymmdd: '20261231',
  'dd-mm-yyyy': '31-12-2026',
}

export function formIn(fields: FormFields): CsvForm {
  const one = <Value extends string>(name: string, known: readonly [Value, ...Value[]]) =>
    known.find((value) => value === fields.text(name)) ?? known[0]
  const direction = fields.text('direction')
  return {
    delimiter: one('delimiter', delimiters),
    encoding: one('encoding', encodings),
    date_form: one('date_form', dateForms),
    decimal: one('decimal', decimals),
    date: fields.text('date'),
    amount: fields.text('amount'),
    debit: fields.text('debit'),
    credit: fields.text('credit'),
    direction: direction === MINUS ? '' : direction,
    sign: direction === MINUS ? 'minus' : 'unsaid',
    state: fields.text('state'),
    currency: fields.text('currency'),
    payer: fields.text('payer'),
    iban: fields.text('iban'),
    text: fields.text('text'),
  }
}
