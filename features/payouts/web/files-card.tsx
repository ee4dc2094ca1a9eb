import {
  getPayoutCsv,
  getSepaFile,
  listPayoutFiles,
  markFileSent,
  type PayoutFile,
} from '#features/payouts/staff-contract.ts'
import { paths } from '#features/paths.ts'
import { useMay } from '#features/team/web/team.ts'
import { chosenOrders, type ListOrder } from '#foundation/paging.ts'
import { call } from '#foundation/web/api/call.ts'
import { download } from '#foundation/web/api/download.ts'
import { useList } from '#foundation/web/api/use-list.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { oneOf, useUrlFilter } from '#foundation/web/url-filter.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { DataTable, RowLink, type Column } from '#foundation/web/ui/data-table.tsx'
import { Day } from '#foundation/web/ui/day.tsx'
import { m } from '#texts/messages.js'
import { refreshStaffPayouts } from './hooks.ts'

const shape = { file_sort: oneOf(chosenOrders) }

/** The files of payouts: downloaded for the bank, and recorded as sent once the bank has taken them. */
export function PayoutFiles() {
  const [{ file_sort: sort = '' }, change] = useUrlFilter(shape, paths.payouts)
  const mayBook = useMay('banking.book')
  return (
    <Card title={m.payouts_files()} description={m.payouts_files_text()}>
      <DataTable
        name="payout-files"
        label={m.payouts_files()}
        list={useList(listPayoutFiles, { query: sort ? { sort } : {} })}
        failed={m.payouts_files_failed()}
        none={m.payouts_files_none()}
        idOf={({ id }) => id}
        columns={columns(mayBook)}
        sorted={sort}
        onSort={(order) => change({ file_sort: order })}
      />
    </Card>
  )
}

const columns = (mayBook: boolean): Column<PayoutFile, ListOrder>[] => [
  {
    name: 'file',
    head: m.payouts_file(),
    isText: true,
    value: ({ id }) => id,
    cell: ({ id }) => <RowLink to={paths.payouts({ reference: id })} text={id} />,
  },
  {
    name: 'date',
    head: m.finance_column_date(),
    isSpare: true,
    sort: { descending: '', ascending: 'oldest' },
    value: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Day at={created_at} />,
  },
  { name: 'payouts', head: m.payouts_count(), isSpare: true, isNamed: true, value: ({ payouts }) => payouts },
  {
    name: 'under_way',
    head: m.payouts_under_way_count(),
    isNamed: true,
    value: ({ under_way }) => under_way,
  },
  {
    name: 'total',
    head: m.payouts_file_total(),
    align: 'right',
    sort: { descending: 'highest', ascending: 'lowest' },
    value: ({ total }) => total,
    cell: ({ total }) => formatMoney(total),
  },
  {
    name: 'acts',
    head: m.ui_table_acts(),
    cell: (file) => <FileActs file={file} mayBook={mayBook} />,
  },
]

function FileActs({ file, mayBook }: { file: PayoutFile; mayBook: boolean }) {
  const { withProof, dialog } = useReauthentication()
  const params = { id: file.id }
  const fetched = async (answer: Promise<{ status: number }>) => {
    const { status } = await answer
    if (status !== 200) toastError(() => m.payouts_download_failed())
  }
  const sepa = useAct(() => fetched(download(getSepaFile, { params }, `${file.id}.xml`)))
  const csv = useAct(() => fetched(download(getPayoutCsv, { params }, `${file.id}.csv`)))
  const sent = useAct(async () => {
    const answer = await withProof(() => call(markFileSent, { params }))
    if (!answer) return
    if (answer.status === 200) toastSuccess(() => m.payouts_all_recorded())
    else toastError(() => m.payouts_act_failed(), answer)
    refreshStaffPayouts()
  })
  return (
    <>
      {file.is_sepa && !file.is_erased ? (
        <Button size="small" pending={sepa.pending} onClick={sepa.run} aria-label={`SEPA XML: ${file.id}`}>
          SEPA XML
        </Button>
      ) : null}
      {file.is_erased ? null : (
        <Button size="small" pending={csv.pending} onClick={csv.run} aria-label={`CSV: ${file.id}`}>
          CSV
        </Button>
      )}
      {mayBook && file.under_way > 0 ? (
        <Button
          size="small"
          pending={sent.pending}
          onClick={sent.run}
          aria-label={m.payouts_all_sent_this({ file: file.id })}
        >
          {m.payouts_all_sent()}
        </Button>
      ) : null}
      {dialog}
    </>
  )
}
