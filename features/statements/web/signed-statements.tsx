import { useInfiniteQuery } from '@tanstack/react-query'
import * as contract from '#features/statements/contract.ts'
import type { IssuedStatement } from '#features/statements/shapes.ts'
import { download } from '#foundation/web/api/download.ts'
import { pagedQueryFor } from '#foundation/web/api/query.ts'
import { formatMonth } from '#foundation/web/i18n/format.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { DownloadButton } from '#foundation/web/ui/download-button.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { m } from '#texts/messages.js'
import { Suspense, type ComponentProps } from 'react'

const CheckStatement = lazyPart(() => import('./check-statement.tsx').then((file) => file.CheckStatement))

/** The signed statements of one's own account, and the place that checks files; for staff those of a customer. */
export const SignedStatements = ({ userId }: { userId?: string | undefined }) =>
  userId === undefined ? (
    <>
      <Own />
      <Suspense fallback={null}>
        <CheckStatement />
      </Suspense>
    </>
  ) : (
    <OfCustomer userId={userId} />
  )

function Own() {
  const query = useInfiniteQuery(pagedQueryFor(contract.listSignedStatements, { query: {} }))
  return (
    <List
      query={query}
      save={(month, format) =>
        download(
          format === 'pdf' ? contract.getSignedPdf : contract.getSignedJson,
          { params: { month } },
          `statement-${month}.${format}`,
        )
      }
    />
  )
}

function OfCustomer({ userId }: { userId: string }) {
  const query = useInfiniteQuery(
    pagedQueryFor(contract.listCustomerStatements, { params: { userId }, query: {} }),
  )
  return (
    <List
      query={query}
      save={(month, format) =>
        download(
          format === 'pdf' ? contract.getCustomerPdf : contract.getCustomerJson,
          { params: { userId, month } },
          `statement-${month}.${format}`,
        )
      }
    />
  )
}

type Props = {
  query: ComponentProps<typeof LoadedList<IssuedStatement>>['query']
  save: (month: string, format: 'pdf' | 'json') => ReturnType<typeof download>
}

const List = ({ query, save }: Props) => (
  <section className="mt-4 flex flex-col gap-3 border-t border-line pt-6">
    <div>
      <h2 className="font-semibold">{m.statements_title()}</h2>
      <p className="mt-1 text-sm text-pretty text-muted">{m.statements_hint()}</p>
    </div>
    <LoadedList query={query} failed={m.statements_failed()} none={m.statements_none()}>
      {(statements) => (
        <ul className="divide-y divide-line text-sm">
          {statements.map(({ month, opening, closing }) => (
            <li key={month} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 py-3">
              <div className="min-w-0">
                <p className="font-medium">{monthText(month)}</p>
                <p className="text-muted">
                  {m.statements_balances({ opening: formatMoney(opening), closing: formatMoney(closing) })}
                </p>
              </div>
              <div className="flex gap-2">
                <DownloadButton small text="PDF" fetching={() => save(month, 'pdf')} />
                <DownloadButton small text="JSON" fetching={() => save(month, 'json')} />
              </div>
            </li>
          ))}
        </ul>
      )}
    </LoadedList>
  </section>
)

/** The middle of a month is in the same month in every time zone. */
const monthText = (month: string): string => formatMonth(`${month}-15T12:00:00Z`)
