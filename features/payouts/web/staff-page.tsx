import { useState } from 'react'
import { paths } from '#features/paths.ts'
import { payoutStates } from '#features/payouts/rules.ts'
import { listStaffPayouts, makePayoutFile, type StaffPayout } from '#features/payouts/staff-contract.ts'
import { useMay } from '#features/team/web/team.ts'
import { chosenOrders } from '#foundation/paging.ts'
import { call } from '#foundation/web/api/call.ts'
import { useList } from '#foundation/web/api/use-list.ts'
import { useIntention } from '#foundation/web/form/intention.ts'
import { useReauthentication } from '#foundation/web/reauthentication/reauthentication.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { toastError, toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { anyText, oneOf, useUrlFilter } from '#foundation/web/url-filter.ts'
import { useAct } from '#foundation/web/use-act.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { DataTable } from '#foundation/web/ui/data-table.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { SearchField } from '#foundation/web/ui/search-field.tsx'
import { Segments } from '#foundation/web/ui/segments.tsx'
import { m } from '#texts/messages.js'
import { PayoutFiles } from './files-card.tsx'
import { refreshStaffPayouts } from './hooks.ts'
import { payoutColumns } from './payout-columns.tsx'
import { ReturnDialog } from './return-dialog.tsx'
import { stateTexts } from './state-badge.tsx'
import { useMarkSent } from './use-mark-sent.ts'

/** The payouts of all customers, and the files in which they go to the bank. */
export function PayoutsPage() {
  useTitle(m.payouts_title())
  return (
    <Page title={m.payouts_title()} description={m.payouts_page_text()}>
      <Payouts />
      <PayoutFiles />
    </Page>
  )
}

const shape = { state: oneOf(payoutStates), reference: anyText, sort: oneOf(chosenOrders) }

/** The payouts of one state, or those of all states that a search finds. */
function Payouts() {
  const [{ state = 'requested', reference = '', sort = '' }, change] = useUrlFilter(shape, paths.payouts)
  const mayBook = useMay('banking.book')
  const [returning, setReturning] = useState<StaffPayout>()
  const sent = useMarkSent()
  const isSearch = reference !== ''
  const list = useList(listStaffPayouts, {
    query: { ...(isSearch ? namedBy(reference) : { state }), ...(sort ? { sort } : {}) },
  })
  return (
    <Card
      title={m.payouts_title()}
      description={m.payouts_list_text()}
      actions={mayBook ? <MakeFile /> : null}
    >
      <div className="flex flex-col gap-4">
        <div className="flex flex-wrap items-center gap-3">
          <SearchField
            label={m.payouts_search()}
            placeholder="PO-3F9A27C10B"
            value={reference}
            onSearch={(text) => change({ reference: text })}
          />
          <Segments
            name="payouts"
            label={m.payouts_show()}
            isLabelHidden
            options={payoutStates.map((value) => ({ value, text: stateTexts[value]() }))}
            chosen={isSearch ? undefined : state}
            onChoose={(chosen) => change({ state: chosen === 'requested' ? '' : chosen, reference: '' })}
          />
        </div>
        <DataTable
          name="payouts"
          label={m.payouts_title()}
          list={list}
          failed={m.payouts_fetch_failed()}
          none={m.payouts_none()}
          idOf={({ id }) => id}
          columns={payoutColumns(mayBook ? { sent: sent.mark, giveBack: setReturning } : undefined, isSearch)}
          sorted={sort}
          onSort={(order) => change({ sort: order })}
        />
      </div>
      {sent.dialog}
      {returning ? (
        <ReturnDialog key={returning.id} payout={returning} open onClose={() => setReturning(undefined)} />
      ) : null}
    </Card>
  )
}

/** A search is for the reference of a payout, or for the number of a file, whose payouts it finds. */
const namedBy = (text: string) =>
  /^PF-[\dA-F]{10}$/.test(text.toUpperCase()) ? { file: text.toUpperCase() } : { reference: text }

/** Puts the payouts that wait into a file. */
function MakeFile() {
  const { withProof, dialog } = useReauthentication()
  const intend = useIntention()
  const make = useAct(async () => {
    const answer = await withProof(() => intend({}, (headers) => call(makePayoutFile, { headers })))
    if (!answer) return
    if (answer.status === 201) {
      const { id: file } = answer.body
      toastSuccess(() => m.payouts_file_made({ file }))
    } else toastError(() => m.payouts_file_failed(), answer)
    refreshStaffPayouts()
  })
  return (
    <>
      <Button look="primary" pending={make.pending} onClick={make.run}>
        {m.payouts_make_file()}
      </Button>
      {dialog}
    </>
  )
}
