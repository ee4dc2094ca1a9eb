import { useState } from 'react'
import { finishBankOddPart, reopenBankOddPart, type BankOddPart } from '#features/banking/contract.ts'
import type { OddState } from '#features/banking/rules.ts'
import { useMay } from '#features/team/web/team.ts'
import { call } from '#foundation/web/api/call.ts'
import { errorText } from '#foundation/web/i18n/error-text.ts'
import { useErrorTexts } from '#foundation/web/i18n/use-error-texts.ts'
import { formatDate } from '#foundation/web/i18n/format.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { m } from '#texts/messages.js'
import { refreshLines, useOddParts } from './hooks.ts'

/** The parts of imported files that are not certain, for staff to check; there is no such card before the first of them. */
export function OddParts() {
  const [state, setState] = useState<OddState>('open')
  const pages = useOddParts(state)
  const mayBook = useMay('banking.book')
  return (
    <Loaded query={pages} failed={m.banking_odd_failed()} waiting={null}>
      {({ pages: [first] }) =>
        !first || first.open + first.done === 0 ? null : (
          <Card title={m.banking_odd_title()} description={m.banking_odd_text()}>
            <div className="flex flex-col gap-4">
              <Segments
                name="bank-odd-parts"
                label={m.banking_show()}
                isLabelHidden
                options={[
                  { value: 'open', text: m.banking_odd_state_open() },
                  { value: 'done', text: m.banking_odd_state_done() },
                ]}
                chosen={state}
                onChoose={setState}
              />
              <LoadedList
                query={pages}
                failed={m.banking_odd_failed()}
                none={state === 'open' ? m.banking_odd_none() : m.banking_odd_none_done()}
              >
                {(parts) => (
                  <List label={m.banking_odd_list()}>
                    {parts.map((part) => (
                      <OddRow key={part.id} part={part} mayChange={mayBook} />
                    ))}
                  </List>
                )}
              </LoadedList>
            </div>
          </Card>
        )
      }
    </Loaded>
  )
}

function OddRow({ part, mayChange }: { part: BankOddPart; mayChange: boolean }) {
  const { kind, reason, file_name, source, shown, noticed_at } = part
  const hasTexts = useErrorTexts()
  // A file within a ZIP is named by its title.
  const from = [file_name, kind === 'file' ? '' : source].filter(Boolean).join(' · ')
  return (
    <ListRow
      title={
        <>
          <span>{titleOf(part)}:</span>{' '}
          <span className="font-normal">{hasTexts ? errorText({ code: reason }) : null}</span>
        </>
      }
      detail={
        <>
          <span>{formatDate(noticed_at)}</span>
          {from ? (
            <>
              <span> · </span>
              <bdi>{from}</bdi>
            </>
          ) : null}
          {shown && kind !== 'file' ? <bdi className="block font-mono text-xs">{shown}</bdi> : null}
        </>
      }
      actions={mayChange ? <Action part={part} /> : null}
    />
  )
}

function Action({ part }: { part: BankOddPart }) {
  const changing = useAct(() => change(part))
  const isOpen = part.state === 'open'
  const label = { part: titleOf(part) }
  return (
    <Button
      size="small"
      pending={changing.pending}
      onClick={changing.run}
      aria-label={isOpen ? m.banking_odd_finish_this(label) : m.banking_odd_reopen_this(label)}
    >
      {isOpen ? m.banking_odd_finish() : m.banking_odd_reopen()}
    </Button>
  )
}

function titleOf({ kind, place, source }: BankOddPart): string {
  switch (kind) {
    case 'entry': {
      return m.banking_odd_entry({ place: String(place ?? '') })
    }
    case 'row': {
      return m.banking_odd_row({ place: String(place ?? '') })
    }
    case 'statement': {
      return m.banking_odd_statement()
    }
    case 'file': {
      return m.banking_odd_file({ name: source })
    }
    default: {
      return kind satisfies never
    }
  }
}

async function change({ id: partId, state }: BankOddPart): Promise<void> {
  const route = state === 'open' ? finishBankOddPart : reopenBankOddPart
  const answer = await call(route, { params: { partId } })
  if (answer.status === 200)
    toastSuccess(() => (state === 'open' ? m.banking_odd_finished() : m.banking_odd_reopened()))
  else toastError(() => m.banking_odd_change_failed(), answer)
  refreshLines()
}
