import { paths } from '#features/paths.ts'
import type { BankLine } from '#features/banking/contract.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { TextLink } from '#foundation/web/navigation.tsx'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { ListRow, TitleAmount } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { causeTexts, dayText, sameAsText } from './line-texts.ts'

export type LineAct = 'book' | 'ignore' | 'reverse'

type Props = {
  line: BankLine
  /** Undefined for staff who may only read. */
  onAct: ((act: LineAct) => void) | undefined
  onReopen: () => void
}

/** The row of one payment: the bank's details, the earlier payment that it may repeat, its customer, and the buttons for acts. */
export function LineRow({ line, onAct, onReopen }: Props) {
  const { amount, booked_on, name, text, state, customer, same_as } = line
  return (
    <ListRow
      title={
        <>
          <TitleAmount amount={amount} />
          <bdi className="font-normal">{name || m.banking_nobody()}</bdi>
        </>
      }
      badge={state === 'open' ? <MatchBadge line={line} /> : null}
      detail={
        <>
          <span>{dayText(booked_on)}</span>
          {text ? (
            <>
              <span> · </span>
              <bdi>{text}</bdi>
            </>
          ) : null}
          {same_as ? <span>{` · ${sameAsText(same_as)}`}</span> : null}
          {state === 'booked' && customer ? (
            <>
              <span> · </span>
              <TextLink to={paths.customer(customer.id, { tab: 'money' })}>{customer.email}</TextLink>
            </>
          ) : null}
        </>
      }
      actions={onAct ? <Actions line={line} onAct={onAct} onReopen={onReopen} /> : null}
    />
  )
}

function MatchBadge({ line: { match, cause, candidates } }: { line: BankLine }) {
  if (cause) return <Badge tone="warning">{causeTexts[cause]()}</Badge>
  if (match === 'unknown') return <Badge>{m.banking_unknown()}</Badge>
  return <Badge tone="success">{m.banking_exact({ reference: candidates[0]?.reference ?? '' })}</Badge>
}

function Actions({ line, onAct, onReopen }: Props & { onAct: (act: LineAct) => void }) {
  const amount = formatMoney(line.amount)
  if (line.state === 'ignored')
    return (
      <Button size="small" onClick={onReopen} aria-label={m.banking_reopen_this({ amount })}>
        {m.banking_reopen()}
      </Button>
    )
  if (line.state === 'booked')
    return (
      <Button size="small" onClick={() => onAct('reverse')} aria-label={m.banking_reverse_this({ amount })}>
        {m.banking_reverse()}
      </Button>
    )
  // A payment from our account can be booked only if it gives a known payment back.
  const mayBeBooked = !line.amount.amount.startsWith('-') || line.candidates.length > 0
  return (
    <>
      {mayBeBooked ? (
        <Button size="small" onClick={() => onAct('book')} aria-label={m.banking_book_this({ amount })}>
          {m.banking_book()}
        </Button>
      ) : null}
      <Button
        size="small"
        look="quiet"
        onClick={() => onAct('ignore')}
        aria-label={m.banking_ignore_this({ amount })}
      >
        {m.banking_ignore()}
      </Button>
    </>
  )
}
