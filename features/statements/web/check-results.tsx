import { toMoney } from '#foundation/money.ts'
import { formatMonth } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { m } from '#texts/messages.js'
import type { Result } from './check-files.ts'

/** The result of each file: a word for its state, and what is proven, in sentences. */
export function CheckResults({ results }: { results: readonly Result[] }) {
  const good = results.filter(({ state }) => state !== 'refused').length
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="text-sm font-medium">
        {m.statements_summary({ good, all: results.length })}
      </p>
      <ul className="divide-y divide-line border-y border-line text-sm">
        {results.map((result, index) => (
          // The results of one check stay in their order; two files may have one name.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={index} className="flex flex-col gap-1.5 py-3">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span className="font-medium [overflow-wrap:anywhere]">{result.name}</span>
              {result.state === 'refused' ? (
                <Badge tone="danger">{m.statements_refused()}</Badge>
              ) : (
                <Badge tone="success">{m.statements_genuine()}</Badge>
              )}
            </p>
            <Proven result={result} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Proven({ result }: { result: Result }) {
  if (result.state === 'refused') return <p className="text-muted">{refusals[result.reason]()}</p>
  if (result.state === 'document')
    return (
      <p className="text-muted">
        {m.statements_is_document({ number: result.number, month: monthText(result.month) })}
      </p>
    )
  const { statement, followsGiven, documents } = result
  const { month, holder, currency, previous } = statement
  const money = (amount: string) => formatMoney(toMoney(BigInt(amount), currency))
  const chain = previous
    ? followsGiven
      ? m.statements_follows({ month: monthText(previous.month) })
      : m.statements_names({ month: monthText(previous.month) })
    : m.statements_is_first()
  return (
    <ul className="ml-4 list-disc text-muted">
      <li>{`${monthText(month)} · ${holder} · ${m.statements_balances({ opening: money(statement.opening), closing: money(statement.closing) })}`}</li>
      <li>{m.statements_is_signed({ issuer: statement.issuer })}</li>
      <li>{m.statements_is_under_root({ month: monthText(month) })}</li>
      <li>{chain}</li>
      {statement.documents.length === 0 ? null : (
        <li>{m.statements_documents({ checked: documents, all: statement.documents.length })}</li>
      )}
    </ul>
  )
}

const refusals = {
  changed: m.statements_refused_changed,
  not_signed: m.statements_refused_not_signed,
  other_issuer: m.statements_refused_other_issuer,
  unknown_key: m.statements_refused_unknown_key,
  withdrawn: m.statements_refused_withdrawn,
  no_root: m.statements_refused_no_root,
  not_under_root: m.statements_refused_not_under_root,
  breaks_chain: m.statements_refused_breaks_chain,
} as const

/** The middle of a month is in the same month in every time zone. */
const monthText = (month: string): string => formatMonth(`${month}-15T12:00:00Z`)
