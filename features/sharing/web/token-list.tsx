import type { ComponentProps, ReactNode } from 'react'
import type { AccountToken } from '#features/sharing/token-contract.ts'
import { formatDate, relativeTime } from '#foundation/web/i18n/format.ts'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { usedOfLimits } from './limits.tsx'
import { roleName } from './role-text.ts'

type Props = Pick<ComponentProps<typeof LoadedList<AccountToken>>, 'query' | 'none' | 'waiting'> & {
  /** The button that ends a token. */
  children: (token: AccountToken) => ReactNode
}

/** Tokens with what they may do, their use and their end. */
export const TokenList = ({ children, ...list }: Props) => (
  <LoadedList {...list} failed={m.sharing_tokens_failed()}>
    {(tokens) => (
      <List label={m.sharing_tokens()}>
        {tokens.map((token) => (
          <ListRow
            key={token.id}
            title={token.name}
            badge={<code className="font-mono text-xs text-muted">{token.hint}</code>}
            detail={tokenFacts(token).join(' · ')}
            actions={children(token)}
          />
        ))}
      </List>
    )}
  </LoadedList>
)

/** The rights, the use and the end of a token, each in a few words. */
function tokenFacts(token: AccountToken): string[] {
  const { role, all_hosts, host_ids, last_used_at, last_used_ip, ends_at, while_used } = token
  const date = formatDate(ends_at)
  return [
    roleName(role),
    all_hosts ? m.sharing_scope_all() : m.sharing_token_servers({ count: host_ids.length }),
    ...usedOfLimits(token),
    last_used_at === null
      ? m.sharing_token_never_used()
      : m.sharing_token_used({ time: relativeTime(last_used_at), address: last_used_ip ?? '' }),
    while_used ? m.sharing_token_ends_unused({ date }) : m.sharing_token_ends({ date }),
  ]
}
