import { useState } from 'react'
import { CheckboxField } from '#foundation/web/ui/checkbox-field.tsx'
import { m } from '#texts/messages.js'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import type { Plan } from '#features/licences/contract.ts'

/** Returns the field that an order sends if the box is ticked; nothing if it is not ticked, or not shown. */
export const beginNow = (fields: FormFields): { begin_now?: true } =>
  fields.checked('begin_now') ? { begin_now: true } : {}

/** For consumers in the EU: the instruction on withdrawal, and the box that asks for the service to begin at once (row L-02). */
export function BeginNow({ plan }: { plan: Pick<Plan, 'withdrawal_url'> | undefined }) {
  const [url, setUrl] = useState(plan?.withdrawal_url)
  // While the plans load again, in another language for instance, the box stays as it was ticked.
  if (plan && plan.withdrawal_url !== url) setUrl(plan.withdrawal_url)
  if (url === undefined) return null
  return (
    <div className="flex flex-col gap-1">
      <CheckboxField name="begin_now" required label={m.sales_begin_now()} />
      <p className="pl-8 text-sm">
        <a
          href={url}
          target="_blank"
          rel="noreferrer"
          className="rounded-sm py-0.5 text-accent-text underline underline-offset-2"
        >
          {m.sales_withdrawal_instruction()}
        </a>
      </p>
    </div>
  )
}
