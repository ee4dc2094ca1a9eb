import type { Activity } from '#features/security/contract.ts'
import { actText } from '#foundation/web/i18n/act-text.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { operator } from '#foundation/web/operator.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { deviceOf } from './device-name.ts'
import { useActivity } from './hooks.ts'

/** The activity of the account, whoever acted: sign-ins, security, and what the support did. */
export function ActivityCard() {
  const pages = useActivity()
  return (
    <Card title={m.security_activity()} description={m.security_activity_text()}>
      <div className="flex flex-col gap-4">
        <LoadedList
          query={pages}
          failed={m.security_activity_failed()}
          waiting="h-32"
          none={m.security_activity_none()}
        >
          {(entries) => (
            <List label={m.security_activity()}>
              {entries.map((entry) => (
                <Entry key={entry.id} entry={entry} />
              ))}
            </List>
          )}
        </LoadedList>
      </div>
    </Card>
  )
}

function Entry({ entry }: { entry: Activity }) {
  const { at, act, message, ip, user_agent, times } = entry
  const device = user_agent ? deviceOf(user_agent).name : undefined
  return (
    <ListRow
      title={times > 1 ? m.security_activity_times({ what: actText(act), count: times }) : actText(act)}
      detail={
        <>
          <span>{[whoOf(entry), device, ip].filter(Boolean).join(' · ')}</span>
          {message ? (
            <q dir="auto" className="mt-0.5 block whitespace-pre-wrap text-text">
              {message}
            </q>
          ) : null}
        </>
      }
      actions={
        <time dateTime={at} className="text-sm text-muted">
          {formatDateTime(at)}
        </time>
      }
    />
  )
}

function whoOf({ by, by_name }: Activity): string {
  if (by === 'support')
    return by_name
      ? m.security_activity_by_member({ name: by_name, operator: operator.name })
      : m.security_activity_by_support({ operator: operator.name })
  if (by === 'helper')
    return by_name ? m.security_activity_by_helper({ name: by_name }) : m.security_activity_by_someone()
  return by === 'you'
    ? m.security_activity_by_you()
    : by === 'unknown'
      ? m.security_activity_by_unknown()
      : ''
}
