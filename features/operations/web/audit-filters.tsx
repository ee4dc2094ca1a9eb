import X from 'lucide-react/icons/x'
import { useQuery } from '@tanstack/react-query'
import { listMembers } from '#features/team/contract.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { DayFields } from '#foundation/web/ui/day-field.tsx'
import { SearchField } from '#foundation/web/ui/search-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import type { AuditChange, AuditFilter } from './filter.ts'
import { actText } from '#foundation/web/i18n/act-text.ts'
import { currentLocale } from '#foundation/web/i18n/locale.ts'
import { acts } from '#texts/acts.js'

type Props = { filter: AuditFilter; onChange: (change: AuditChange) => void }

/** The filters of the audit: the person it concerns, the actor, the action and the time. */
export function AuditFilters({ filter, onChange }: Props) {
  const members = useQuery(queryFor(listMembers)).data?.items ?? []
  return (
    <div className="flex flex-col gap-3">
      <SearchField
        label={m.operations_audit_search()}
        placeholder={m.operations_audit_search_placeholder()}
        value={filter.q ?? ''}
        onSearch={(q) => onChange({ q })}
      />
      <div className="grid grid-cols-2 gap-3 sm:flex sm:flex-wrap">
        <div className="col-span-2 sm:w-36 lg:w-64">
          <SelectField
            name="act"
            label={m.operations_audit_act()}
            empty={m.operations_audit_act_all()}
            options={withChosen(actOptions(), filter.act)}
            value={filter.act ?? ''}
            onChange={({ target: { value: act } }) => onChange({ act })}
          />
        </div>
        <div className="col-span-2 sm:w-36 lg:w-52">
          <SelectField
            name="actor"
            label={m.operations_audit_actor()}
            empty={m.operations_audit_actor_all()}
            options={withChosen(
              members.map(({ id, name }) => ({ value: id, label: name })),
              filter.actor,
            )}
            value={filter.actor ?? ''}
            onChange={({ target: { value: actor } }) => onChange({ actor })}
          />
        </div>
        <DayFields from={filter.from} to={filter.to} onChange={onChange} />
        {filter.ip === undefined ? null : (
          <div className="col-span-2 self-end">
            <Button
              icon={<X size={16} aria-hidden="true" />}
              title={m.operations_audit_any_ip()}
              onClick={() => onChange({ ip: '' })}
            >
              {m.operations_audit_only_ip({ ip: filter.ip })}
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

type Options = { value: string; label: string }[]

/** Adds the chosen option if the list lacks it, such as a former member, so that it stays chosen. */
const withChosen = (options: Options, chosen: string | undefined): Options =>
  chosen === undefined || options.some(({ value }) => value === chosen)
    ? options
    : [...options, { value: chosen, label: chosen }]

/** Returns all audited actions as options, by their sentences in the present language, sorted. */
function actOptions(): { value: string; label: string }[] {
  const { compare } = new Intl.Collator(currentLocale())
  return Object.keys(acts)
    .map((act) => ({ value: act, label: actText(act) }))
    .toSorted((one, other) => compare(one.label, other.label))
}
