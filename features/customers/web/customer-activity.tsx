import type { ActorKind } from '#foundation/actor-kinds.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { actText } from '#foundation/web/i18n/act-text.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { useCustomerActivity } from './hooks.ts'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'

/** All activity of an account, by anybody; its customer sees only a part of it. */
export function CustomerActivity({ card }: { card: CustomerCard }) {
  const pages = useCustomerActivity(card.id)
  return (
    <LoadedList query={pages} failed={m.customers_activity_failed()} none={m.customers_activity_none()}>
      {(entries) => (
        <List label={m.customers_tab_activity()}>
          {entries.map(({ id, at, act, actor, ip, user_agent, detail }) => {
            const { reason } = detail
            const isNamed = actor.kind === 'staff' || actor.kind === 'customer'
            const who = isNamed ? actor.name : null
            return (
              <ListRow
                key={id}
                title={actText(act)}
                detail={
                  <span title={user_agent ?? undefined}>
                    {[who ?? KINDS[actor.kind](), ip, typeof reason === 'string' ? reason : null]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                }
                actions={
                  <time dateTime={at} className="text-sm text-muted">
                    {formatDateTime(at)}
                  </time>
                }
              />
            )
          })}
        </List>
      )}
    </LoadedList>
  )
}

const KINDS: Readonly<Record<ActorKind, () => string>> = {
  self: m.customers_activity_self,
  staff: m.customers_staff,
  customer: m.customers_activity_customer,
  cli: m.customers_command_line,
  system: m.customers_activity_system,
  stranger: m.customers_activity_stranger,
}
