import Check from 'lucide-react/icons/check'
import Minus from 'lucide-react/icons/minus'
import { Fragment, type ReactNode } from 'react'
import type { Plan } from '#features/licences/contract.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { m } from '#texts/messages.js'
import { compared, machinesOf } from './compared.ts'

/** The differences between the editions of these plans, feature by feature. On a phone each plan lists its own features (`FeatureList`). */
export function EditionTable({ plans }: { plans: readonly Plan[] }) {
  const locale = useLocale()
  const { editions, different, common } = compared(plans)
  const machines = editions.map(machinesOf)
  const hasMachines = new Set(machines).size > 1
  if (editions.length < 2 || (different.length === 0 && common.length === 0 && !hasMachines)) return null
  return (
    <div className="mt-3 text-sm max-sm:hidden">
      {different.length > 0 || hasMachines ? (
        <table className="w-full table-fixed">
          <caption className="sr-only">{m.sales_features()}</caption>
          <thead>
            <tr className="border-b border-line-strong align-bottom">
              <th scope="col" className="w-2/5 py-1.5 pr-3 text-left font-medium">
                {m.sales_features()}
              </th>
              {editions.map(({ edition }) => (
                <th
                  key={edition.slug}
                  scope="col"
                  className="px-1 py-1.5 text-center font-medium [overflow-wrap:anywhere]"
                >
                  {edition.name[locale]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {hasMachines ? (
              <Row name={m.sales_machines()}>
                {machines.map((count, place) => (
                  <Cell key={editions[place]?.edition.slug}>
                    <span>{count ?? '–'}</span>
                  </Cell>
                ))}
              </Row>
            ) : null}
            {different.map(({ text, has }) => (
              <Row key={text.en} name={text[locale]}>
                {editions.map(({ edition: { slug } }) => (
                  <Cell key={slug}>
                    <Mark isIncluded={has.has(slug)} />
                  </Cell>
                ))}
              </Row>
            ))}
          </tbody>
        </table>
      ) : null}
      {common.length > 0 ? (
        <p className="mt-2 text-xs text-muted">
          {m.sales_features_all({ features: common.map(({ text }) => text[locale]).join(' · ') })}
        </p>
      ) : null}
    </div>
  )
}

const Row = ({ name, children }: { name: string; children: ReactNode }) => (
  <tr className="border-b border-line">
    <th scope="row" className="py-1.5 pr-3 text-left font-normal [overflow-wrap:anywhere]">
      {name}
    </th>
    {children}
  </tr>
)

const Cell = ({ children }: { children: ReactNode }) => (
  <td className="px-1 py-1.5 text-center">{children}</td>
)

const Mark = ({ isIncluded }: { isIncluded: boolean }) => (
  <span className={isIncluded ? 'inline-block text-success-text' : 'inline-block text-muted'}>
    {isIncluded ? <Check size={16} aria-hidden="true" /> : <Minus size={16} aria-hidden="true" />}
    <span className="sr-only">{isIncluded ? m.sales_included() : m.sales_not_included()}</span>
  </span>
)

/** The features of one plan, for screens that are too narrow for the table. */
export function FeatureList({ plan }: { plan: Plan }) {
  const locale = useLocale()
  const machines = machinesOf(plan)
  return (
    <span className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 gap-y-1 empty:hidden sm:hidden">
      {machines === undefined ? null : (
        <Line>
          {m.sales_machines()}: {machines}
        </Line>
      )}
      {plan.features.map((text) => (
        <Line key={text.en}>{text[locale]}</Line>
      ))}
    </span>
  )
}

const Line = ({ children }: { children: ReactNode }) => (
  <Fragment>
    <Check size={14} aria-hidden="true" className="mt-0.5 text-success-text" />
    <span>{children}</span>
  </Fragment>
)
