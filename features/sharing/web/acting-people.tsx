import { useInfiniteQuery } from '@tanstack/react-query'
import { listPeople, type ActingPerson } from '#features/sharing/contract.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { useGrants } from './hooks.ts'
import { roleName } from './role-text.ts'

/** Everybody who may act for the account, and through whom; nothing while no helper passes a grant on, as the helpers are all of them then. */
export function ActingPeople() {
  const given = useGrants('given').data?.items ?? []
  if (!given.some(({ state, may_pass_on }) => state === 'active' && may_pass_on)) return null
  return (
    <Card title={m.sharing_people()} description={m.sharing_people_text()}>
      <People />
    </Card>
  )
}

function People() {
  const pages = useInfiniteQuery(pagedQueryFor(listPeople, { query: {} }))
  return (
    <LoadedList query={pages} failed={m.sharing_failed()} none={m.sharing_people_none()}>
      {(people) => (
        <List label={m.sharing_people()}>
          {people.map((person) => (
            <ListRow
              key={`${person.account.id} ${person.through?.id ?? ''}`}
              title={person.account.name}
              detail={<span dir="auto">{factsOf(person).join(' · ')}</span>}
            />
          ))}
        </List>
      )}
    </LoadedList>
  )
}

const factsOf = ({ role, all_hosts, through }: ActingPerson): string[] => [
  roleName(role),
  all_hosts ? m.sharing_scope_all() : m.sharing_scope_some(),
  ...(through === null ? [] : [m.sharing_through({ name: through.name })]),
]
