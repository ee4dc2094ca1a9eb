import {
  readCompany,
  type CompanyPage,
  type CompanyVersion,
  type Section,
} from '#features/operations/company-contract.ts'
import { companyFieldNames, companyFields } from '#features/operations/company-fields.ts'
import { locales } from '#foundation/locale.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { closingTexts } from './edit-words.tsx'
import { useRestore } from './use-restore.ts'

/** All versions of all sections, the newest first, each with the way back to it. */
export function CompanyHistory({ seller }: { seller: CompanyPage }) {
  const { pending, restore, dialog } = useRestore(() => refreshQueries(readCompany))
  const wayTo = ({ section, version: to }: CompanyVersion) => ({
    section,
    version: seller[section].version,
    to,
  })
  if (seller.history.length === 0)
    return <Card title={m.operations_company_history()} description={m.operations_company_history_none()} />
  return (
    <section aria-label={m.operations_company_history()} className="flex flex-col gap-3">
      <h2 className="font-semibold">{m.operations_company_history()}</h2>
      <List label={m.operations_company_history()}>
        {seller.history.map((past) => (
          <ListRow
            key={`${past.section}-${past.version}`}
            title={titleOf(past)}
            badge={
              past.is_present ? <Badge tone="success">{m.operations_company_present()}</Badge> : undefined
            }
            detail={<Detail past={past} />}
            actions={
              past.is_present ? undefined : (
                <Button size="small" pending={pending} onClick={() => restore(wayTo(past))}>
                  {m.operations_company_restore()}
                </Button>
              )
            }
          />
        ))}
      </List>
      {dialog}
    </section>
  )
}

const sectionTexts: Readonly<Record<Section, () => string>> = {
  company: m.operations_company_data,
  bank: m.operations_company_bank,
  logo: m.operations_company_logo,
  words: m.operations_company_words,
}

const titleOf = ({ section, version }: CompanyVersion) =>
  m.operations_company_version({ section: sectionTexts[section](), version })

function Detail({ past: { changed_at, changed_by, changes } }: { past: CompanyVersion }) {
  if (changed_at === null) return <p>{m.operations_company_version_first()}</p>
  const time = formatDateTime(changed_at)
  return (
    <>
      <p>
        {changed_by === null
          ? m.operations_company_version_cli({ time })
          : m.operations_company_version_by({ name: changed_by.name, time })}
      </p>
      <ul>
        {changes.map(({ field, after }) => (
          <li key={field}>
            {m.operations_company_changed_to({ field: labelOf(field), after: valueOf(after) })}
          </li>
        ))}
      </ul>
    </>
  )
}

function labelOf(field: string): string {
  const name = companyFieldNames.find((known) => known === field)
  if (name !== undefined) return companyFields[name].label()
  const locale = locales.find((known) => `closing_${known}` === field)
  if (locale !== undefined) return closingTexts[locale]()
  return field === 'logo' ? m.operations_company_logo() : m.operations_company_bank()
}

function valueOf(after: string | null): string {
  if (after === null) return m.operations_company_from_settings()
  return after || m.operations_company_nothing()
}
