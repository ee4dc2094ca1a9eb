import { addPlan } from '#features/catalogue/contract.ts'
import { isTerm, terms } from '#features/licences/rules.ts'
import { digitsOf, toMoney } from '#foundation/money.ts'
import { call } from '#foundation/web/api/call.ts'
import { ActDialog, type Send } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { formatTerm } from '#foundation/web/i18n/format.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { parseAmount } from '#foundation/web/i18n/money.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { refreshPlans, useEditions } from './hooks.ts'
import { namesIn, PlanNames } from './plan-names.tsx'
import { SlugField } from './text-fields.tsx'

/** Puts another plan on sale. */
export function AddPlan({ currency, ...dialog }: DialogProps & { currency: string }) {
  const digits = digitsOf(currency)
  const editions = useEditions().data?.items ?? []
  const submit = async (fields: FormFields, send: Send) => {
    const price = parseAmount(fields.text('price_net'), digits)
    if (price === undefined || price <= 0n)
      return { errors: [{ code: 'invalid', param: 'price_net' }] } as const
    const [term, edition] = [fields.text('term'), fields.text('edition')]
    const body = {
      slug: fields.text('slug'),
      name: namesIn(fields),
      term: isTerm(term) ? term : terms[0],
      price_net: toMoney(price, currency),
      ...(edition === '' ? {} : { edition }),
    }
    const answer = await send(body, () => call(addPlan, { body }))
    if (!answer) return undefined
    if (answer.status !== 201) return answer
    refreshPlans()
    const { name } = answer.body
    toastSuccess(() => m.catalogue_added({ plan: name[currentLocale()] }))
    return dialog.onClose()
  }
  return (
    <ActDialog
      {...dialog}
      title={m.catalogue_add()}
      description={m.catalogue_add_text()}
      act={m.catalogue_add()}
      submit={submit}
    >
      <PlanNames />
      <SelectField
        name="edition"
        label={m.catalogue_edition()}
        options={[
          { value: '', label: m.catalogue_edition_own() },
          ...editions.map(({ slug, name }) => ({ value: slug, label: name[currentLocale()] })),
        ]}
      />
      <SlugField />
      <SelectField
        name="term"
        label={m.catalogue_term()}
        options={terms.map((term) => ({ value: term, label: formatTerm(term) }))}
      />
      <TextField
        name="price_net"
        label={m.catalogue_price_net({ currency })}
        inputMode={digits === 0 ? 'numeric' : 'decimal'}
        autoComplete="off"
        required
      />
    </ActDialog>
  )
}
