import CreditCard from 'lucide-react/icons/credit-card'
import type { PaymentMethod } from '#features/methods/contract.ts'
import { methodName } from '#features/methods/texts.ts'
import { ProviderOption } from '#features/finance/web/finance.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { m } from '#texts/messages.js'

const PREFIX = 'method:'

/** The saved methods as the first ones of the ways to pay; the default one is chosen already. */
export const MethodChoices = ({ methods }: { methods: readonly PaymentMethod[] }) => (
  <>
    {methods.map((method, place) => (
      <ProviderOption
        key={method.id}
        value={PREFIX + method.id}
        isFirst={place === 0}
        icon={CreditCard}
        title={methodName(method)}
        text={m.methods_saved_text()}
      />
    ))}
  </>
)

/** The saved method that was chosen in a form with `MethodChoices`; undefined for another way to pay. */
export function methodIn(fields: Pick<FormFields, 'text'>): string | undefined {
  const chosen = fields.text('provider')
  return chosen.startsWith(PREFIX) ? chosen.slice(PREFIX.length) : undefined
}
