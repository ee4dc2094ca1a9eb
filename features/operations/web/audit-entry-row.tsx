import type { ReactNode } from 'react'
import { paths } from '#features/paths.ts'
import type { AuditEntry } from '#features/operations/contract.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { m } from '#texts/messages.js'
import { actText } from '#foundation/web/i18n/act-text.ts'

/** One entry: the action, its actor, the account and the time; the further details unfold. */
export function AuditEntryRow({ entry }: { entry: AuditEntry }) {
  const { act, at, detail } = entry
  const { reason } = detail
  return (
    <li className="flex flex-col gap-1 px-5 py-3.5 text-sm">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-medium">{actText(act)}</p>
        <time dateTime={at} className="text-muted tabular-nums">
          {formatDateTime(at)}
        </time>
      </div>
      <p className="text-muted [overflow-wrap:anywhere]">
        <Who entry={entry} />
        {typeof reason === 'string' && reason !== '' ? <span>{` · ${reason}`}</span> : null}
      </p>
      <details>
        <summary className="w-fit cursor-pointer text-muted hover:text-text">
          {m.operations_audit_details()}
        </summary>
        <div className="pt-2">
          <Facts facts={factsOf(entry)} />
        </div>
      </details>
    </li>
  )
}

type Person = NonNullable<AuditEntry['person']>

function Who({ entry: { actor, person } }: { entry: AuditEntry }) {
  const account = person ? <Account person={person} /> : null
  if (actor.kind === 'self') return account
  return (
    <>
      {actor.person ? <Actor person={actor.person} /> : <span>{others[actor.kind]()}</span>}
      {account ? (
        <>
          <span> → </span>
          {account}
        </>
      ) : null}
    </>
  )
}

const others: Readonly<Record<AuditEntry['actor']['kind'], () => string>> = {
  cli: m.operations_audit_cli,
  system: m.operations_audit_system,
  stranger: m.operations_audit_stranger,
  self: m.operations_audit_stranger,
  staff: m.operations_audit_stranger,
  customer: m.operations_audit_stranger,
}

/** Leads to everything else that this person did. */
const Actor = ({ person }: { person: Person }) => (
  <TextLink
    to={paths.audit({ actor: person.id })}
    aria-label={m.operations_audit_only({ name: nameOf(person) })}
  >
    {nameOf(person)}
  </TextLink>
)

const Account = ({ person }: { person: Person }) =>
  person.name === '' ? nameOf(person) : <TextLink to={paths.customer(person.id)}>{person.name}</TextLink>

const nameOf = ({ id, name }: Person): string => (name === '' ? m.operations_audit_deleted({ id }) : name)

/** Leads to everything else that came from this IP address. */
const Ip = ({ ip }: { ip: string }) => (
  <TextLink to={paths.audit({ ip })} aria-label={m.operations_audit_only_ip({ ip })}>
    <code className="font-mono text-xs">{ip}</code>
  </TextLink>
)

function factsOf({ at, act, ip, user_agent, request_id, detail }: AuditEntry) {
  const code = (value: string): ReactNode => <code className="font-mono text-xs select-all">{value}</code>
  const facts: [name: string, value: ReactNode][] = [
    [m.operations_audit_time(), code(at)],
    [m.operations_audit_act(), code(act)],
    ...(ip === null ? [] : [[m.operations_audit_ip(), <Ip key="ip" ip={ip} />] as [string, ReactNode]]),
    ...(user_agent ? [[m.operations_audit_browser(), user_agent] as [string, ReactNode]] : []),
    ...(request_id === null ? [] : [[m.operations_audit_request(), code(request_id)] as [string, ReactNode]]),
    ...Object.entries(detail).map(([name, value]): [string, ReactNode] => [name, code(plain(value))]),
  ]
  return facts.map(([name, value]) => ({ name, value }))
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
