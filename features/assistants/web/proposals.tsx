import { useQuery } from '@tanstack/react-query'
import { listProposals, type Proposal } from '#features/assistants/contract.ts'
import { toolText } from '#features/assistants/texts.ts'
import { getHost } from '#features/hosts/contract.ts'
import { paths } from '#features/paths.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { formatDateTime, relativeTime } from '#foundation/web/i18n/format.ts'
import { useErrorTexts } from '#foundation/web/i18n/use-error-texts.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { m } from '#texts/messages.js'
import { codeOf } from './failure.ts'
import { useDecision } from './use-decision.ts'

/** The proposals of assistants, each with all that its call would be made with, to confirm or refuse. Nothing without assistants. */
export function Proposals() {
  const query = useQuery(queryFor(listProposals))
  if (query.data && !query.data.is_on && query.data.items.length === 0) return null
  return (
    <Loaded query={query} failed={m.assistants_failed()} waiting={null}>
      {({ items }) => <ProposalCard items={items} />}
    </Loaded>
  )
}

function ProposalCard({ items }: { items: readonly Proposal[] }) {
  useErrorTexts(items.some(({ failure }) => failure !== null))
  const waits = ({ status }: Proposal) => status === 'proposed' || status === 'undone'
  const waiting = items.filter(waits)
  const decided = items.filter((proposal) => !waits(proposal))
  return (
    <Card title={m.assistants_proposals()} description={m.assistants_proposals_text()}>
      <div className="flex flex-col gap-3">
        {items.length === 0 ? <p className="text-sm text-muted">{m.assistants_none()}</p> : null}
        {waiting.map((proposal) => (
          <Waiting key={proposal.id} proposal={proposal} />
        ))}
        {decided.length > 0 ? (
          <List label={m.assistants_decided()}>
            {decided.map((proposal) => (
              <ListRow
                key={proposal.id}
                title={toolText(proposal.tool)}
                badge={<Badge tone={tones[proposal.status]}>{statuses[proposal.status]()}</Badge>}
                detail={detailOf(proposal)}
              />
            ))}
          </List>
        ) : null}
      </div>
    </Card>
  )
}

const statuses = {
  proposed: m.assistants_waits,
  confirmed: m.assistants_confirmed,
  undone: m.assistants_undone,
  failed: m.assistants_not_possible,
  refused: m.assistants_refused,
  expired: m.assistants_expired,
} as const

const tones = {
  proposed: 'warning',
  confirmed: 'success',
  undone: 'warning',
  failed: 'danger',
  refused: 'neutral',
  expired: 'neutral',
} as const

/** True for a value that is the id of a server, which says nothing to a reader. */
const isServer = (name: string): boolean => /^host_?id$/i.test(name)

const detailOf = ({ token, facts, decided_at, failure }: Proposal): string =>
  [
    ...(failure === null ? [] : [errorText({ code: codeOf(failure) })]),
    ...facts
      .filter(({ name }) => !isServer(name))
      .slice(0, 1)
      // A value alone, such as 'false', says nothing; words of people speak for themselves.
      .map(({ name, value }) => (/\s/u.test(value) ? value : `${name}: ${value}`)),
    m.assistants_by({ name: token }),
    ...(decided_at === null ? [] : [relativeTime(decided_at)]),
  ].join(' · ')

function Waiting({ proposal }: { proposal: Proposal }) {
  const { id, tool, token, facts, proposed_at, expires_at, status } = proposal
  const isUndone = status === 'undone'
  const title = `proposal-${id}`
  const confirm = useDecision(id, 'confirm')
  const refuse = useDecision(id, 'refuse')
  return (
    <div role="group" aria-labelledby={title} className="rounded-lg border border-line p-4">
      <h3 id={title} className="font-semibold [overflow-wrap:anywhere]">
        <span>{toolText(tool)}</span>{' '}
        {isUndone ? <Badge tone={tones[status]}>{statuses[status]()}</Badge> : null}
      </h3>
      <p className="mt-1 text-sm text-muted">
        {[
          m.assistants_by({ name: token }),
          relativeTime(proposed_at),
          ...(isUndone ? [] : [m.assistants_until({ time: formatDateTime(expires_at) })]),
        ].join(' · ')}
      </p>
      {isUndone ? <p className="mt-2 text-sm">{m.assistants_undone_text()}</p> : null}
      <dl className="mt-3 grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[max-content_1fr]">
        {facts.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="font-mono text-muted">{name}</dt>
            <dd className="whitespace-pre-wrap [overflow-wrap:anywhere] max-sm:mb-1">
              {isServer(name) ? <ServerName id={value} /> : <bdi>{value}</bdi>}
            </dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button look="primary" size="small" pending={confirm.pending} onClick={confirm.run}>
          {isUndone ? m.assistants_try_again() : m.assistants_confirm()}
        </Button>
        {isUndone ? null : (
          <Button size="small" pending={refuse.pending} onClick={refuse.run}>
            {m.assistants_refuse()}
          </Button>
        )}
      </div>
    </div>
  )
}

/** The server that an id names, as its owner knows it. */
function ServerName({ id }: { id: string }) {
  const { data } = useQuery(queryFor(getHost, { params: { hostId: id } }))
  return (
    <TextLink to={paths.host(id)}>
      <bdi>{data?.name ?? id}</bdi>
    </TextLink>
  )
}
