import CreditCard from 'lucide-react/icons/credit-card'
import FlaskConical from 'lucide-react/icons/flask-conical'
import Landmark from 'lucide-react/icons/landmark'
import Wallet from 'lucide-react/icons/wallet'
import type { ReactNode } from 'react'
import type { ProviderName } from '#features/finance/rules.ts'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { m } from '#texts/messages.js'

/** The ways to pay that this installation offers, after `children`, which are other ones (`isAfter`); the first of all is preselected. */
export function ProviderChoice({
  providers,
  children,
  isAfter = Boolean(children),
}: {
  providers: readonly ProviderName[]
  children?: ReactNode
  isAfter?: boolean
}) {
  return (
    <fieldset>
      <legend className="pb-1.5 text-sm font-medium">{m.finance_provider()}</legend>
      <div className="overflow-hidden rounded-md border border-line">
        <div className={isAfter ? 'border-b border-line' : undefined}>{children}</div>
        {providers.map((name, index) => {
          const { text, icon } = PROVIDERS[name]
          const isFirst = index === 0 && !isAfter
          return (
            <ProviderOption
              key={name}
              value={name}
              {...{ isFirst, icon }}
              title={titleOf(name, providers)}
              text={text()}
            />
          )
        })}
      </div>
    </fieldset>
  )
}

/** The way that was chosen in a form with a `ProviderChoice`. */
export const providerIn = (
  fields: Pick<FormFields, 'text'>,
  offered: readonly ProviderName[],
): ProviderName => offered.find((name) => name === fields.text('provider')) ?? offered[0] ?? 'bank'

/** Cards are a way of their own where another provider takes them. */
const titleOf = (name: ProviderName, all: readonly ProviderName[]): string =>
  name === 'mollie' && !all.includes('stripe') ? m.finance_provider_mollie_alone() : PROVIDERS[name].title()

type Option = { value: string; isFirst: boolean; icon: typeof Wallet; title: string; text: string }

/** One of the ways to pay. */
export function ProviderOption({ value, isFirst, icon: Icon, title, text }: Option) {
  return (
    <label className="flex cursor-pointer items-center gap-3 border-b border-line px-3 py-2.5 transition-colors duration-150 last:border-b-0 hover:bg-hover has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent-text">
      <input
        type="radio"
        name="provider"
        value={value}
        defaultChecked={isFirst}
        className="size-4 shrink-0 accent-accent outline-none"
      />
      <span className="min-w-0 flex-1 text-sm">
        <span className="block font-medium">{title}</span>
        <span className="block text-pretty text-muted">{text}</span>
      </span>
      <Icon size={18} aria-hidden="true" className="shrink-0 text-muted" />
    </label>
  )
}

const PROVIDERS = {
  stripe: { icon: CreditCard, title: m.finance_provider_stripe, text: m.finance_provider_stripe_text },
  mollie: { icon: Wallet, title: m.finance_provider_mollie, text: m.finance_provider_mollie_text },
  bank: { icon: Landmark, title: m.finance_provider_bank, text: m.finance_provider_bank_text },
  test: { icon: FlaskConical, title: m.finance_provider_test, text: m.finance_provider_test_text },
} as const
