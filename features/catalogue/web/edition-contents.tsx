import type { ReactNode } from 'react'
import type { Edition } from '#features/catalogue/contract.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { m } from '#texts/messages.js'

/** The parts of an edition: its features for people, and its entitlements for programs. */
export function EditionContents({ edition: { features, entitlements, trial_days } }: { edition: Edition }) {
  const locale = currentLocale()
  const texts = [
    ...features.map((text) => text[locale]),
    ...(trial_days === 0 ? [] : [m.catalogue_edition_trial({ count: trial_days })]),
  ]
  const rows = Object.entries(entitlements).toSorted(([one], [other]) => (one < other ? -1 : 1))
  if (texts.length === 0 && rows.length === 0) return null
  return (
    <div className="grid items-start gap-x-8 gap-y-4 text-sm md:grid-cols-2">
      {texts.length === 0 ? null : (
        <div>
          <h3 className="mb-1.5 font-medium">{m.catalogue_features()}</h3>
          <ul className="grid list-disc gap-1 pl-4 text-muted [overflow-wrap:anywhere]">
            {texts.map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </div>
      )}
      {rows.length === 0 ? null : (
        <table className="w-full table-fixed text-left">
          <caption className="mb-1.5 text-left font-medium">{m.catalogue_entitlements()}</caption>
          <thead className="text-xs text-muted">
            <tr>
              <Head>{m.catalogue_entitlement_name()}</Head>
              <Head>{m.catalogue_entitlement_kind()}</Head>
              <Head>{m.catalogue_entitlement_value()}</Head>
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, value]) => (
              <tr key={name} className="border-t border-line align-baseline">
                <td className="py-1.5 pr-3 font-mono text-xs [overflow-wrap:anywhere]">{name}</td>
                <td className="py-1.5 pr-3 text-muted">{kindOf(value)}</td>
                <td className="py-1.5 font-mono text-xs [overflow-wrap:anywhere]">{String(value)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}

const Head = ({ children }: { children: ReactNode }) => (
  <th scope="col" className="pr-3 pb-1 font-medium">
    {children}
  </th>
)

function kindOf(value: Edition['entitlements'][string]): string {
  if (typeof value === 'number') return m.catalogue_kind_number()
  return typeof value === 'boolean' ? m.catalogue_kind_yes_no() : m.catalogue_kind_text()
}
