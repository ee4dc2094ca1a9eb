import { useQuery } from '@tanstack/react-query'
import { useEffectEvent, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { missingInAddress, needsAddress, type BuyerFields } from '#features/invoices/rules.ts'
import type { Plan } from '#features/licences/contract.ts'
import { fieldLengths, getProfile, updateProfile } from '#features/profile/contract.ts'
import { countryCodes } from '#features/profile/rules.ts'
import { amountOf, type Money } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { keepAnswer } from '#foundation/web/api/keep.ts'
import { keyOf, queryFor } from '#foundation/web/api/query.ts'
import { Edits } from '#foundation/web/form/edits.ts'
import type { FormError } from '#foundation/web/form/use-form.ts'
import { useRegionOptions } from '#foundation/web/i18n/region-options.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshPlans } from './shown-prices.ts'

const names = ['company', 'name', 'surname', 'address', 'zip', 'city', 'country'] as const
type Name = (typeof names)[number]
/** The order form already has a field `name`, for the name of the server. */
const fieldOf = (name: Name): string => `buyer_${name}`

type Fields = Record<string, string>
const fieldsOf = (profile: BuyerFields): Fields =>
  Object.fromEntries(names.map((name) => [fieldOf(name), profile[name]]))

/**
 * The buyer's address inside an order: shown while the profile lacks one, and required if the invoice must
 * name it. `save` goes before the order and writes into the profile what was changed here, and nothing else
 * (rule 45): a country that another tab saved meanwhile is the country of the invoice. Its refusals belong to
 * these fields.
 */
export function useBuyerAddress(plan: Plan | undefined, typed: Fields | undefined) {
  const profile = useQuery({ ...queryFor(getProfile), staleTime: Infinity }).data
  // The section stays while the dialog is open, also after its fields have been saved.
  const [asked, setAsked] = useState(false)
  const edits = useRef<Edits<Fields>>(undefined)
  const isIncomplete = profile !== undefined && missingInAddress(profile).length > 0
  if (isIncomplete && !asked) setAsked(true)
  const isNeeded =
    profile !== undefined &&
    plan !== undefined &&
    needsAddress(profile, amountOf(plan.price_total), plan.nameless_up_to)
  return {
    section:
      asked && profile && plan ? (
        <BuyerAddress
          edits={edits}
          profile={profile}
          typed={typed}
          isNeeded={isNeeded}
          namelessUpTo={plan.nameless_up_to}
        />
      ) : null,
    /** The typed fields, to keep while the order waits for money. */
    typed: () => edits.current?.changes() ?? {},
    save: async () => (edits.current ? save(edits.current) : undefined),
  }
}

/**
 * Fields that are untouched here follow the values saved elsewhere; `typed` was kept with an interrupted order and is put
 * in once.
 */
function useEdits(editsRef: RefObject<Edits<Fields> | undefined>, profile: BuyerFields, typed: Fields = {}) {
  const section = useRef<HTMLDetailsElement>(null)
  const begin = useEffectEvent((form: HTMLFormElement) => {
    editsRef.current = new Edits(form, fieldsOf(profile))
    editsRef.current.type(typed)
  })
  useLayoutEffect(() => {
    const form = section.current?.closest('form')
    if (form) begin(form)
    return () => {
      editsRef.current = undefined
    }
  }, [editsRef])
  useLayoutEffect(() => editsRef.current?.follow(fieldsOf(profile)), [editsRef, profile])
  return section
}

async function save(edits: Edits<Fields>): Promise<FormError | undefined> {
  const changes = edits.changes()
  const changed = names.filter((name) => fieldOf(name) in changes)
  if (changed.length === 0) return undefined
  const body = Object.fromEntries(changed.map((name) => [name, changes[fieldOf(name)]]))
  const answer = await call(updateProfile, { body })
  if (answer.status !== 200) {
    const { errors } = answer
    return {
      errors: errors.map((error) => ({
        ...error,
        ...(error.param ? { param: `buyer_${error.param}` } : {}),
      })),
    }
  }
  edits.saved(changes, fieldsOf(answer.body))
  keepAnswer(answer, keyOf(getProfile), answer.body)
  // Another country changes the VAT.
  if (changed.includes('country')) refreshPlans()
  return undefined
}

type Props = {
  edits: RefObject<Edits<Fields> | undefined>
  profile: BuyerFields
  typed: Fields | undefined
  isNeeded: boolean
  namelessUpTo: Money
}

function BuyerAddress({ edits, profile, typed, isNeeded, namelessUpTo }: Props) {
  const section = useEdits(edits, profile, typed)
  const [company, setCompany] = useState(typed?.buyer_company ?? profile.company)
  const [opened, setOpened] = useState(typed !== undefined)
  const required = isNeeded || company.trim() !== ''
  const amount = formatMoney(namelessUpTo)
  const line = (name: Name, label: string, autoComplete: string, needed = required) => (
    <TextField
      name={fieldOf(name)}
      label={label}
      defaultValue={profile[name]}
      autoComplete={autoComplete}
      most={name === 'country' ? undefined : fieldLengths[name]}
      required={needed}
      {...(name === 'company' ? { onInput: (event) => setCompany(event.currentTarget.value) } : {})}
    />
  )
  const fields = (
    <div className="mt-3 grid gap-4 sm:grid-cols-6">
      <div className="sm:col-span-6">{line('company', m.sales_buyer_company(), 'organization', false)}</div>
      <div className="sm:col-span-3">
        {line('name', m.sales_buyer_name(), 'given-name', required && company.trim() === '')}
      </div>
      <div className="sm:col-span-3">{line('surname', m.sales_buyer_surname(), 'family-name', false)}</div>
      <div className="sm:col-span-6">{line('address', m.sales_buyer_address(), 'address-line1')}</div>
      <div className="sm:col-span-2">{line('zip', m.sales_buyer_zip(), 'postal-code', false)}</div>
      <div className="sm:col-span-4">{line('city', m.sales_buyer_city(), 'address-level2')}</div>
      <div className="sm:col-span-6">
        <Country country={profile.country} required={required} />
      </div>
    </div>
  )
  const hint = required ? m.sales_buyer_required({ amount }) : m.sales_buyer_optional({ amount })
  return (
    <details
      ref={section}
      open={required || opened}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
      className="rounded-md border border-line px-4 py-3"
    >
      <summary className="cursor-pointer text-sm font-medium">{m.sales_buyer()}</summary>
      <p className="mt-1 text-sm text-muted">{hint}</p>
      {fields}
    </details>
  )
}

function Country({ country, required }: { country: string; required: boolean }) {
  const options = useRegionOptions(countryCodes)
  return (
    <SelectField
      name={fieldOf('country')}
      label={m.sales_buyer_country()}
      defaultValue={country}
      options={options}
      empty={m.sales_buyer_country_none()}
      autoComplete="country"
      required={required}
    />
  )
}
