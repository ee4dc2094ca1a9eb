import { ProviderChoice } from '#features/finance/web/finance.ts'
import { MethodChoices } from '#features/methods/web/methods.ts'
import { paths } from '#features/paths.ts'
import { amountOf, type Money } from '#foundation/money.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { m } from '#texts/messages.js'
import type { Paying } from './use-paying.ts'

type Props = {
  missing: Money
  /** Undefined where no way to pay is offered. */
  paying: Paying | undefined
  /** Called with the form when the customer tops up another amount instead. */
  onWait?: ((form: HTMLFormElement) => void) | undefined
}

/** The amount that the balance lacks for an order, and the ways to pay it (H-03). */
export function PayMissing({ missing, paying, onWait }: Props) {
  return (
    <>
      <Alert tone="warning">
        <p>{m.sales_missing({ amount: formatMoney(missing) })}</p>
        {paying && amountOf(paying.due) > amountOf(missing) ? (
          <p>{m.sales_missing_least({ amount: formatMoney(paying.due) })}</p>
        ) : null}
        <p className="mt-1">
          <TextLink
            to={paths.finances({ missing: missing.amount })}
            onClick={({ currentTarget }) => {
              const form = currentTarget.closest('form')
              if (form) onWait?.(form)
            }}
          >
            {m.sales_top_up()}
          </TextLink>
        </p>
      </Alert>
      {paying ? (
        <ProviderChoice key={paying.methods.length} providers={paying.providers}>
          {paying.methods.length > 0 ? <MethodChoices methods={paying.methods} /> : null}
        </ProviderChoice>
      ) : null}
    </>
  )
}
