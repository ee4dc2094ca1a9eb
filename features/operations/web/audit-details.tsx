import type { ReactNode } from 'react'
import { paths } from '#features/paths.ts'
import type { AuditEntry } from '#features/operations/contract.ts'
import { actText } from '#foundation/web/i18n/act-text.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { m } from '#texts/messages.js'
import { nameOf } from './audit-columns.tsx'
import type { Entry } from './fold-sign-ins.ts'

/** All that was recorded with an entry, or with each of several sign-ins. */
export function AuditDetails({ entry, onClose }: { entry: Entry; onClose: () => void }) {
  const { act, folded = [entry] } = entry
  return (
    <Dialog open onClose={onClose} title={actText(act)} wide>
      <ul aria-label={m.operations_audit_details()} className="flex flex-col gap-4">
        {folded.map((one) => (
          <li key={one.id} className="flex flex-col gap-2">
            <p className="text-sm font-medium">
              {one.person ? <span>{`${nameOf(one.person)} · `}</span> : null}
              <time dateTime={one.at}>{formatDateTime(one.at)}</time>
            </p>
            <Facts facts={factsOf(one, onClose)} />
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

/** Leads to everything else that came from this IP address. */
const Ip = ({ ip, onClose }: { ip: string; onClose: () => void }) => (
  <TextLink to={paths.audit({ ip })} aria-label={m.operations_audit_only_ip({ ip })} onClick={onClose}>
    <code className="font-mono text-xs">{ip}</code>
  </TextLink>
)

function factsOf({ at, act, ip, user_agent, request_id, detail }: AuditEntry, onClose: () => void) {
  const code = (value: string): ReactNode => <code className="font-mono text-xs select-all">{value}</code>
  const facts: [name: string, value: ReactNode][] = [
    [m.operations_audit_time(), code(at)],
    [m.operations_audit_act(), code(act)],
    ...(ip === null
      ? []
      : [[m.operations_audit_ip(), <Ip key="ip" ip={ip} onClose={onClose} />] as [string, ReactNode]]),
    ...(user_agent ? [[m.operations_audit_browser(), user_agent] as [string, ReactNode]] : []),
    ...(request_id === null ? [] : [[m.operations_audit_request(), code(request_id)] as [string, ReactNode]]),
    ...Object.entries(detail).map(([name, value]): [string, ReactNode] => [name, code(plain(value))]),
  ]
  return facts.map(([name, value]) => ({ name, value }))
}

const plain = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
