import { useQuery } from '@tanstack/react-query'
import ReceiptText from 'lucide-react/icons/receipt-text'
import { Suspense, useState, type ComponentProps } from 'react'
import { downloadVatOfQuarter, getVatOfQuarter, type VatOfQuarter } from '#features/books/contract.ts'
import { quarterAfter, quartersBefore } from '#features/books/rules.ts'
import { kindText } from '#features/books/texts.ts'
import { vatKinds } from '#features/invoices/rules.ts'
import { paths } from '#features/paths.ts'
import { download } from '#foundation/web/api/download.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { dayOf } from '#foundation/web/i18n/days.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useGo, useQueryValue } from '#foundation/web/navigation.tsx'
import { useTitle } from '#foundation/web/title.ts'
import { Alert } from '#foundation/web/ui/alert.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { DownloadButton } from '#foundation/web/ui/download-button.tsx'
import { EmptyState } from '#foundation/web/ui/empty-state.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Page } from '#foundation/web/ui/page.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { Skeleton } from '#foundation/web/ui/skeleton.tsx'
import { Tabs } from '#foundation/web/ui/tabs.tsx'
import { m } from '#texts/messages.js'
import { Exports } from './exports.tsx'
import { VatTable } from './vat-table.tsx'

/** The number of past quarters that can be chosen, besides the present one: two years. */
const QUARTERS = 8

/** Reports on the sales: the VAT of a quarter, and figures of two years. */
export function ReportsPage() {
  useTitle(m.books_title())
  const tab = useQueryValue('tab') === 'figures' ? 'figures' : 'vat'
  return (
    <Page title={m.books_title()} description={tab === 'vat' ? m.books_text() : m.books_figures_text()}>
      <Tabs
        label={m.books_parts()}
        tabs={[
          { to: paths.reports({ tab: 'vat' }), label: m.books_tab_vat(), current: tab === 'vat' },
          { to: paths.reports({ tab: 'figures' }), label: m.books_tab_figures(), current: tab === 'figures' },
        ]}
      />
      <Suspense fallback={<Skeleton className="h-96 rounded-lg" />}>
        {tab === 'vat' ? <VatOfAQuarter /> : <Figures />}
      </Suspense>
    </Page>
  )
}

const Figures = lazyPart(() => import('./figures.tsx').then((file) => file.Figures))

/** The VAT of a quarter for the tax return; at first it is the last quarter that is over. */
function VatOfAQuarter() {
  const go = useGo()
  const [today] = useState(() => dayOf(new Date()))
  const past = quartersBefore(today, QUARTERS)
  const [last = ''] = past
  const present = quarterAfter(last)
  const quarter = useQueryValue('quarter') ?? last
  const options = [present, ...past, ...([present, ...past].includes(quarter) ? [] : [quarter])]
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div className="w-full sm:max-w-64">
          <SelectField
            name="quarter"
            label={m.books_quarter()}
            value={quarter}
            onChange={({ target }) =>
              void go(paths.reports({ tab: 'vat', quarter: target.value }), {
                replace: true,
                resetScroll: false,
              })
            }
            options={options.map((value) => ({ value, label: quarterText(value, value === present) }))}
          />
        </div>
        <CsvButton quarter={quarter} />
      </div>
      <Report quarter={quarter} />
      <Exports />
    </>
  )
}

function quarterText(quarter: string, isPresent = false): string {
  const [year = '', number = ''] = quarter.split('-Q')
  return isPresent ? m.books_quarter_present({ year, number }) : m.books_quarter_name({ year, number })
}

const CsvButton = ({ quarter }: { quarter: string }) => (
  <DownloadButton
    text={m.books_csv()}
    fetching={() => download(downloadVatOfQuarter, { query: { quarter } }, `vat-${quarter}.csv`)}
  />
)

function Report({ quarter }: { quarter: string }) {
  const query = useQuery(queryFor(getVatOfQuarter, { query: { quarter } }))
  return (
    <Loaded query={query} failed={m.books_failed()}>
      {(report) => <Sums report={report} />}
    </Loaded>
  )
}

function Sums({ report }: { report: VatOfQuarter }) {
  const { sales, corrections, is_over, vat, booked } = report
  if (sales.length === 0 && corrections.length === 0)
    return (
      <EmptyState icon={<ReceiptText size={20} aria-hidden="true" />} title={m.books_none()}>
        {m.books_none_text()}
      </EmptyState>
    )
  const agrees = vat.amount === booked.amount
  return (
    <>
      {is_over ? null : <Notice title={m.books_not_over()}>{m.books_not_over_text()}</Notice>}
      {agrees ? null : (
        <Notice tone="danger" title={m.books_differs()}>
          {m.books_differs_text({ documents: formatMoney(vat), booked: formatMoney(booked) })}
        </Notice>
      )}
      {vatKinds.toSorted(ossFirst).map((kind) => {
        const rows = sales.filter(({ vat_kind }) => vat_kind === kind)
        return rows.length === 0 ? null : (
          <Card key={kind} title={kindText(kind)}>
            <VatTable rows={rows} label={kindText(kind)} />
          </Card>
        )
      })}
      {corrections.length === 0 ? null : (
        <Card title={m.books_corrections()} description={m.books_corrections_text()}>
          <VatTable
            rows={corrections}
            label={m.books_corrections()}
            aside={(row) => `${kindText(row.vat_kind)} · ${quarterText(row.corrected_quarter ?? '')}`}
          />
        </Card>
      )}
      {agrees ? <p className="text-sm text-muted">{m.books_agrees({ amount: formatMoney(vat) })}</p> : null}
    </>
  )
}

function Notice({ title, ...notice }: ComponentProps<typeof Alert> & { title: string }) {
  return (
    <Alert {...notice}>
      <p className="font-medium">{title}</p>
      <p className="mt-1">{notice.children}</p>
    </Alert>
  )
}

const ossFirst = (one: string, other: string): number => Number(other === 'oss') - Number(one === 'oss')
