import { paths } from '#features/paths.ts'
import type { AuditEntry } from '#features/operations/contract.ts'
import { actText } from '#foundation/web/i18n/act-text.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { RowButton, type Column } from '#foundation/web/ui/data-table.tsx'
import { m } from '#texts/messages.js'
import type { Entry } from './fold-sign-ins.ts'

/** The columns of the audit: the action, its actor, the account, the reason and the time. A row opens its further details. */
export const auditColumns = (onOpen: (entry: Entry) => void): Column<Entry, '' | 'oldest'>[] => [
  {
    name: 'act',
    head: m.operations_audit_act(),
    isText: true,
    value: ({ act }) => actText(act),
    cell: (entry) => (
      <>
        <RowButton onOpen={() => onOpen(entry)} text={actText(entry.act)} />
        {entry.folded ? <Badge>{`${entry.folded.length} ×`}</Badge> : null}
      </>
    ),
  },
  {
    name: 'actor',
    head: m.operations_audit_actor(),
    isText: true,
    isNamed: true,
    value: actorText,
    cell: (entry) =>
      entry.folded ? null : entry.actor.person ? (
        <TextLink
          to={paths.audit({ actor: entry.actor.person.id })}
          aria-label={m.operations_audit_only({ name: nameOf(entry.actor.person) })}
        >
          {nameOf(entry.actor.person)}
        </TextLink>
      ) : (
        actorText(entry)
      ),
  },
  {
    name: 'account',
    head: m.operations_audit_account(),
    isText: true,
    isNamed: true,
    value: ({ person }) => person && nameOf(person),
    cell: ({ person, folded }) =>
      folded ? (
        peopleText(folded)
      ) : person && person.name !== '' ? (
        <TextLink to={paths.customer(person.id)}>{person.name}</TextLink>
      ) : (
        person && nameOf(person)
      ),
  },
  {
    name: 'reason',
    head: m.operations_audit_reason(),
    isText: true,
    isSpare: true,
    value: ({ detail: { reason } }) => (typeof reason === 'string' ? reason : null),
  },
  {
    name: 'time',
    head: m.operations_audit_time(),
    sort: { descending: '', ascending: 'oldest' },
    value: ({ at }) => at,
    cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
  },
]

type Person = NonNullable<AuditEntry['person']>

export const nameOf = ({ id, name }: Person): string =>
  name === '' ? m.operations_audit_deleted({ id }) : name

/** The first of the people, and how many others there are: a row opens to all of them. */
function peopleText(entries: readonly AuditEntry[]): string {
  const [first = '', ...others] = new Set(entries.flatMap(({ person }) => (person ? [nameOf(person)] : [])))
  return others.length > 0 ? `${first} +${others.length}` : first
}

function actorText({ actor, person }: AuditEntry): string {
  if (actor.kind === 'self' && person) return nameOf(person)
  return actor.person ? nameOf(actor.person) : others[actor.kind]()
}

const others: Readonly<Record<AuditEntry['actor']['kind'], () => string>> = {
  cli: m.operations_audit_cli,
  system: m.operations_audit_system,
  stranger: m.operations_audit_stranger,
  self: m.operations_audit_stranger,
  staff: m.operations_audit_stranger,
  customer: m.operations_audit_stranger,
}
