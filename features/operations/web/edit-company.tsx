import { useState, type InputEvent } from 'react'
import { changeCompany, readCompany, type CompanyData } from '#features/operations/company-contract.ts'
import { companyFieldNames, companyFields } from '#features/operations/company-fields.ts'
import { countryCodes } from '#features/profile/rules.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useEditForm } from '#foundation/web/form/use-edit-form.ts'
import { useRegionOptions } from '#foundation/web/i18n/region-options.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { columnSpans } from '#foundation/web/ui/column-spans.ts'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'

type Typed = Readonly<Record<keyof CompanyData, string | number>>
type Props = { company: CompanyData; onClose: () => void }

export function EditCompany({ company, onClose }: Props) {
  const { withProof, dialog } = useReauthentication()
  const [typed, setTyped] = useState<Typed>(company)
  const form = useEditForm({
    saved: company,
    save: (changes, version) =>
      withProof(() => call(changeCompany, { body: { ...withoutVersion(changes), version } })),
    onDone(saved) {
      refreshQueries(readCompany)
      if (saved) toastSuccess(() => m.operations_company_saved())
      onClose()
    },
  })
  const follow = ({ target }: InputEvent) => {
    if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement)
      setTyped({ ...typed, [target.name]: target.value })
  }
  return (
    <FormDialog
      open
      wide
      onClose={onClose}
      title={m.operations_company_data()}
      description={m.operations_company_data_text()}
      form={form}
      act={m.ui_save()}
      label={m.operations_company_data()}
      proof={dialog}
    >
      <div className="grid gap-4 sm:grid-cols-6" onInput={follow}>
        <Fields company={company} />
      </div>
      <Preview typed={typed} />
    </FormDialog>
  )
}

/** The version goes with each save by itself. */
const withoutVersion = <Changes extends { version?: string }>({ version: _version, ...changes }: Changes) =>
  changes

const Fields = ({ company }: { company: CompanyData }) =>
  companyFieldNames.map((name) => {
    const { label, most, span, ...field } = companyFields[name]
    if (name === 'country') return <Country key={name} country={company.country} />
    return (
      <div key={name} className={columnSpans[span]}>
        <TextField
          name={name}
          label={label()}
          {...('hint' in field && { hint: field.hint() })}
          defaultValue={company[name]}
          autoComplete="off"
          most={most}
          required={'isRequired' in field}
        />
      </div>
    )
  })

function Country({ country }: { country: string }) {
  const options = useRegionOptions(countryCodes)
  return (
    <div className="sm:col-span-6">
      <SelectField
        name="country"
        label={m.operations_company_country()}
        defaultValue={country}
        options={options}
      />
    </div>
  )
}

/** The seller as the next invoice shows it, while it is typed. */
function Preview({ typed }: { typed: Typed }) {
  const text = (name: keyof CompanyData) => String(typed[name])
  const lines = [
    text('name'),
    text('street'),
    [text('country'), text('zip'), text('city')].filter(Boolean).join(' '),
    [text('vat_id'), text('tax_number')].filter(Boolean).join(' · '),
    text('register'),
    [text('email'), text('phone')].filter(Boolean).join(' · '),
  ]
  return (
    <section
      aria-label={m.operations_company_preview()}
      className="mt-4 rounded-md border border-line bg-sunken px-4 py-3 text-sm"
    >
      <p className="mb-1 text-xs text-muted">{m.operations_company_preview()}</p>
      {lines.filter(Boolean).map((line) => (
        <p key={line} className="[overflow-wrap:anywhere]">
          {line}
        </p>
      ))}
    </section>
  )
}
