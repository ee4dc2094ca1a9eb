import { useState } from 'react'
import { askForExport, listExports } from '#features/books/contract.ts'
import {
  daysOf,
  exportKinds,
  lastDayOf,
  monthsIn,
  quarterAfter,
  quartersBefore,
  type ExportKind,
} from '#features/books/rules.ts'
import { useMay } from '#features/team/web/team.ts'
import { call } from '#foundation/web/api/call.ts'
import { refreshQueries } from '#foundation/web/api/query.ts'
import { ActDialog, type Send } from '#foundation/web/form/act-dialog.tsx'
import type { FormFields } from '#foundation/web/form/form-fields.ts'
import { dayOf } from '#foundation/web/i18n/days.ts'
import { formatMonth } from '#foundation/web/i18n/format.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { DayField } from '#foundation/web/ui/day-field.tsx'
import { SelectField } from '#foundation/web/ui/select-field.tsx'
import { m } from '#texts/messages.js'
import { exportTexts } from './export-texts.ts'

/** The dialog that asks for the contents and the span of a file. The last month, or the last quarter, is chosen at first. */
export function NewExport(dialog: DialogProps) {
  const mayReadAudit = useMay('audit.read')
  const [kind, setKind] = useState<ExportKind>('datev')
  const kinds = exportKinds.filter((one) => one !== 'audit' || mayReadAudit)
  const submit = async (fields: FormFields, send: Send) => {
    const body = { kind, ...spanIn(fields, kind) }
    const answer = await send(body, () => call(askForExport, { body }))
    if (!answer) return undefined
    if (answer.status !== 202) return answer
    toastSuccess(() => m.books_export_asked())
    refreshQueries(listExports)
    return dialog.onClose()
  }
  return (
    <ActDialog
      {...dialog}
      title={m.books_export_new()}
      description={exportTexts[kind].about()}
      act={m.books_export_make()}
      submit={submit}
    >
      <SelectField
        name="kind"
        label={m.books_export_kind()}
        value={kind}
        onChange={({ target }) => setKind(kinds.find((one) => one === target.value) ?? kind)}
        options={kinds.map((value) => ({ value, label: exportTexts[value].name() }))}
      />
      <Span key={spanKind(kind)} kind={kind} />
    </ActDialog>
  )
}

const spanKind = (kind: ExportKind): 'months' | 'quarter' | 'days' =>
  kind === 'datev' ? 'months' : kind === 'vat' ? 'quarter' : 'days'

/** The fields for the span of a file: months, a quarter or days, as its kind needs. */
function Span({ kind }: { kind: ExportKind }) {
  const [today] = useState(() => dayOf(new Date()))
  const present = today.slice(0, 7)
  const months = monthsIn(`${Number(present.slice(0, 4)) - 2}${present.slice(4)}-01`, today).toReversed()
  const [, last = present] = months
  const [from, setFrom] = useState(`${last}-01`)
  const [to, setTo] = useState(lastDayOf(last))
  if (spanKind(kind) === 'quarter') {
    const past = quartersBefore(today, 8)
    const [before = ''] = past
    const options = [quarterAfter(before), ...past].map((quarter) => {
      const [year = '', number = ''] = quarter.split('-Q')
      return { value: quarter, label: m.books_quarter_name({ year, number }) }
    })
    return <SelectField name="to" label={m.books_quarter()} defaultValue={before} options={options} />
  }
  if (spanKind(kind) === 'months') {
    const options = months.map((value) => ({ value, label: formatMonth(new Date(`${value}-02T12:00:00`)) }))
    return (
      <>
        <SelectField name="from" label={m.books_export_from_month()} defaultValue={last} options={options} />
        <SelectField name="to" label={m.books_export_to_month()} defaultValue={last} options={options} />
      </>
    )
  }
  return (
    <>
      <DayField name="from" label={m.books_export_from()} value={from} onDay={setFrom} />
      <DayField name="to" label={m.books_export_to()} value={to} onDay={setTo} />
    </>
  )
}

function spanIn(fields: FormFields, kind: ExportKind): { from: string; to: string } {
  const [from, to] = [fields.text('from'), fields.text('to')]
  if (spanKind(kind) === 'months') return { from: `${from}-01`, to: lastDayOf(to) }
  if (spanKind(kind) === 'days') return { from, to }
  const { first_day } = daysOf(to)
  return { from: first_day, to: lastDayOf(monthsIn(first_day, daysOf(quarterAfter(to)).first_day)[2] ?? '') }
}
