import { useState } from 'react'
import { bookExactLines, reopenBankLine, type BankLine } from '#features/banking/contract.ts'
import type { LineState } from '#features/banking/rules.ts'
import { useMay } from '#features/team/web/team.ts'
import { call } from '#foundation/web/api/call.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { List } from '#foundation/web/ui/list.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { LineDialog, type Acting } from './line-dialog.tsx'
import { LineRow } from './line-row.tsx'
import { ImportButton } from './import-button.tsx'
import { stateTexts } from './line-texts.ts'
import { refreshLines, useBankLines } from './hooks.ts'
import { OddParts } from './odd-parts.tsx'

/** The payments on bank statements, and below them the parts of their files that are not certain. */
export const Statements = () => (
  <>
    <Payments />
    <OddParts />
  </>
)

/** The payments on bank statements: imported here, booked all at once where they are exact, and one by one where they are not. */
function Payments() {
  const [state, setState] = useState<LineState>('open')
  const pages = useBankLines(state)
  const open = pages.data?.pages[0]?.open
  const mayBook = useMay('banking.book')
  const mayImport = useMay('banking.import')
  const [acting, setActing] = useState<Acting>()
  const close = () => setActing(undefined)
  const left = open ? open.exact + open.ambiguous + open.unknown : 0
  return (
    <Card
      title={m.banking_title()}
      description={
        open ? left > 0 ? m.banking_left({ count: left }) : m.banking_text() : <Coming of={pages} />
      }
      actions={open && open.exact > 0 && mayBook ? <BookExact count={open.exact} /> : null}
    >
      <div className="flex flex-col gap-4">
        {mayImport ? <ImportButton /> : null}
        <Segments
          name="bank-lines"
          label={m.banking_show()}
          isLabelHidden
          options={[
            { value: 'open', text: stateTexts.open() },
            { value: 'booked', text: stateTexts.booked() },
            { value: 'ignored', text: stateTexts.ignored() },
          ]}
          chosen={state}
          onChoose={setState}
        />
        <LoadedList query={pages} failed={m.banking_failed()} waiting="h-40" none={NONE[state]()}>
          {(lines) => (
            <List label={m.banking_lines()}>
              {lines.map((line) => (
                <LineRow
                  key={line.id}
                  line={line}
                  onAct={mayBook ? (act) => setActing({ act, line }) : undefined}
                  onReopen={() => void reopen(line)}
                />
              ))}
            </List>
          )}
        </LoadedList>
      </div>
      {acting ? <LineDialog key={acting.line.id} {...acting} onClose={close} /> : null}
    </Card>
  )
}

const NONE = {
  open: m.banking_none_open,
  booked: m.banking_none_booked,
  ignored: m.banking_none_ignored,
} as const

async function reopen({ id }: BankLine): Promise<void> {
  const answer = await call(reopenBankLine, { params: { lineId: id } })
  if (answer.status === 200) toastSuccess(() => m.banking_reopened())
  else toastError(() => m.banking_reopen_failed(), answer)
  refreshLines()
}

function BookExact({ count }: { count: number }) {
  const { withProof, dialog } = useReauthentication()
  const book = useAct(async () => {
    const answer = await withProof(() => call(bookExactLines, {}))
    if (!answer) return
    if (answer.status === 202) toastSuccess(() => m.banking_booking({ count }))
    else toastError(() => m.banking_booking_failed(), answer)
    refreshLines()
  })
  return (
    <>
      <Button look="primary" pending={book.pending} onClick={book.run}>
        {m.banking_book_exact({ count })}
      </Button>
      {dialog}
    </>
  )
}
