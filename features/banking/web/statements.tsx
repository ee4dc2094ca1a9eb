import { useState } from 'react'
import { bookExactLines, listBankLines, reopenBankLine, type BankLine } from '#features/banking/contract.ts'
import { paths } from '#features/paths.ts'
import { useMay } from '#features/team/web/team.ts'
import { chosenOrders } from '#foundation/paging.ts'
import { call } from '#foundation/web/api/call.ts'
import { useList } from '#foundation/web/api/use-list.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { anyText, oneOf, useUrlFilter } from '#foundation/web/url-filter.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { DataTable } from '#foundation/web/ui/data-table.tsx'
import { SearchField } from '#foundation/web/ui/search-field.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { Coming } from '#foundation/web/ui/skeleton.tsx'
import { m } from '#texts/messages.js'
import { ImportButton } from './import-button.tsx'
import { lineColumns, type LineAct } from './line-columns.tsx'
import { LineDetails } from './line-details.tsx'
import { LineDialog, type Acting } from './line-dialog.tsx'
import { stateTexts } from './line-texts.ts'
import { refreshLines } from './hooks.ts'
import { OddParts } from './odd-parts.tsx'

/** The payments on bank statements, and below them the parts of their files that are not certain. */
export const Statements = () => (
  <>
    <Payments />
    <OddParts />
  </>
)

const shape = { payments: oneOf(['booked', 'ignored']), q: anyText, sort: oneOf(chosenOrders) }

/**
 * The payments on bank statements: imported here, booked all at once where they are exact, and one by one where they are not. They are those
 * of one state, or those of all states that a search finds.
 */
function Payments() {
  const [{ payments: state = 'open', q, sort }, change] = useUrlFilter(shape, paths.transfers)
  const list = useList(listBankLines, {
    query: { ...(q === undefined ? { state } : { state: 'any', q }), ...(sort ? { sort } : {}) },
  })
  const open = list.query.data?.pages[0]?.open
  const mayBook = useMay('banking.book')
  const mayImport = useMay('banking.import')
  const [acting, setActing] = useState<Acting>()
  const [opened, setOpened] = useState<BankLine>()
  const left = open ? open.exact + open.ambiguous + open.unknown : 0
  const act = (kind: LineAct, line: BankLine) =>
    kind === 'reopen' ? void reopen(line) : setActing({ act: kind, line })
  return (
    <Card
      title={m.banking_title()}
      description={
        open ? left > 0 ? m.banking_left({ count: left }) : m.banking_text() : <Coming of={list.query} />
      }
      actions={open && open.exact > 0 && mayBook ? <BookExact count={open.exact} /> : null}
    >
      <div className="flex flex-col gap-4">
        {mayImport ? <ImportButton /> : null}
        <div className="flex flex-wrap items-center gap-3">
          <SearchField
            label={m.banking_search()}
            placeholder={m.banking_search_placeholder()}
            value={q ?? ''}
            onSearch={(text) => change({ q: text })}
          />
          <Segments
            name="bank-lines"
            label={m.banking_show()}
            isLabelHidden
            options={[
              { value: 'open', text: stateTexts.open() },
              { value: 'booked', text: stateTexts.booked() },
              { value: 'ignored', text: stateTexts.ignored() },
            ]}
            chosen={q === undefined ? state : undefined}
            onChoose={(chosen) => change({ payments: chosen === 'open' ? '' : chosen, q: '' })}
          />
        </div>
        <DataTable
          name="payments"
          label={m.banking_lines()}
          list={list}
          failed={m.banking_failed()}
          none={q === undefined ? NONE[state]() : m.banking_none_found()}
          idOf={({ id }) => id}
          columns={lineColumns(setOpened, mayBook ? act : undefined, q !== undefined)}
          sorted={sort ?? ''}
          onSort={(order) => change({ sort: order })}
        />
      </div>
      {opened ? <LineDetails line={opened} onClose={() => setOpened(undefined)} /> : null}
      {acting ? <LineDialog key={acting.line.id} {...acting} onClose={() => setActing(undefined)} /> : null}
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
