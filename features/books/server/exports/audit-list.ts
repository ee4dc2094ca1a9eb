import { nextDay } from '#features/books/rules.ts'
import type { Locale } from '#foundation/locale.ts'
import type { App } from '#foundation/server/app.ts'
import { auditBefore, type AuditRow } from '#foundation/server/audit/audit.ts'
import { textCell } from '#foundation/csv.ts'
import * as m from '#texts/messages.js'
import { AT_ONCE, listFile, type Page } from './lists.ts'
import { paged, type Outcome, type Wanted } from './wanted.ts'

/** The audit log as CSV, newest entry first, as staff see the log. */
export function auditFile(app: App, wanted: Wanted, outcome: Outcome): AsyncGenerator<Uint8Array> {
  const { timeZone } = app.config
  const from = `${wanted.first_day} 00:00 ${timeZone}`
  const to = `${nextDay(wanted.last_day)} 00:00 ${timeZone}`
  async function* pages(): AsyncGenerator<Page> {
    for await (const rows of paged(AT_ONCE, (last: AuditRow | undefined, limit) => {
      const before = last && ([last.at_us, String(last.id)] as const)
      return auditBefore(app.db, { from, to }, { before, limit })
    }))
      yield rows.map(auditCells)
  }
  return listFile(auditHeadings(wanted.locale), pages(), outcome)
}

const auditCells = (row: AuditRow): string[] => {
  return [
    row.at.toISOString(),
    row.act,
    row.user_id ?? '',
    row.actor_kind,
    row.actor_id ?? '',
    row.ip ?? '',
    textCell(row.user_agent ?? ''),
    row.request_id ?? '',
    textCell(JSON.stringify(row.detail)),
  ]
}

const auditHeadings = (locale: Locale): string[] => [
  m.finance_csv_time({}, { locale }),
  m.books_audit_act({}, { locale }),
  m.books_audit_account({}, { locale }),
  m.books_audit_by({}, { locale }),
  m.books_audit_by_id({}, { locale }),
  m.books_audit_ip({}, { locale }),
  m.books_audit_browser({}, { locale }),
  m.books_audit_request({}, { locale }),
  m.books_audit_detail({}, { locale }),
]
