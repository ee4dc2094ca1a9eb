import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listAccountActivity, type AccountActivity as Entry } from '#features/sharing/contract.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { actText } from '#foundation/web/i18n/act-text.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { useGrants } from './hooks.ts'

/** The activity of the owner and the helpers, in the user's own account or in an account that the user helps. */
export function AccountActivity() {
  const [account, setAccount] = useState('')
  const received = useGrants('received').data?.items ?? []
  const helped = received.flatMap((grant) =>
    grant.state === 'active' && grant.account ? [grant.account] : [],
  )
  const shown = helped.some(({ id }) => id === account) ? account : ''
  return (
    <Card title={m.sharing_activity()} description={m.sharing_activity_text()}>
      <div className="flex flex-col gap-4">
        {helped.length === 0 ? null : (
          <SelectField
            name="account"
            label={m.sharing_activity_of()}
            value={shown}
            options={[
              { value: '', label: m.sharing_own_account() },
              ...helped.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={({ target }) => setAccount(target.value)}
          />
        )}
        <Entries account={shown} />
      </div>
    </Card>
  )
}

function Entries({ account }: { account: string }) {
  const pages = useInfiniteQuery(
    pagedQueryFor(listAccountActivity, { query: account === '' ? {} : { for: account } }),
  )
  return (
    <LoadedList query={pages} failed={m.sharing_activity_failed()} none={m.sharing_activity_none()}>
      {(entries) => (
        <List label={m.sharing_activity()}>
          {entries.map((entry) => (
            <ListRow
              key={entry.id}
              title={actText(entry.act)}
              detail={<span dir="auto">{factsOf(entry).join(' · ')}</span>}
              actions={
                <time dateTime={entry.at} className="text-sm text-muted">
                  {formatDateTime(entry.at)}
                </time>
              }
            />
          ))}
        </List>
      )}
    </LoadedList>
  )
}

const factsOf = ({ by, host, amount }: Entry): string[] => [
  by?.name || m.sharing_activity_gone(),
  ...(host ? [host.name || m.sharing_activity_server_gone()] : []),
  ...(amount ? [formatMoney(amount)] : []),
]
