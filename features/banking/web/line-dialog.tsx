import { ignoreBankLine, reverseBankLine, type BankLine } from '#features/banking/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { formatMoney } from '#foundation/web/i18n/money.ts'
import { m } from '#texts/messages.js'
import { BookLine } from './book-line.tsx'
import type { LineAct } from './line-columns.tsx'
import { ReasonDialog } from './reason-dialog.tsx'

export type Acting = { act: Exclude<LineAct, 'reopen'>; line: BankLine }

/** The dialog in which staff book, ignore or reverse one payment of a statement. */
export function LineDialog({ act, line, onClose }: Acting & { onClose: () => void }) {
  const params = { lineId: line.id }
  const amount = formatMoney(line.amount)
  const dialog = { open: true, onClose }
  const email = line.customer?.email ?? ''
  const isReturn = line.amount.amount.startsWith('-')
  switch (act) {
    case 'book': {
      return <BookLine line={line} {...dialog} />
    }
    case 'ignore': {
      return (
        <ReasonDialog
          {...dialog}
          about={line.id}
          title={m.banking_ignore_title({ amount })}
          description={m.banking_ignore_text()}
          hint={m.banking_reason_hint()}
          act={m.banking_ignore()}
          send={(body) => call(ignoreBankLine, { params, body })}
          done={m.banking_ignored()}
        />
      )
    }
    case 'reverse': {
      return (
        <ReasonDialog
          {...dialog}
          about={line.id}
          title={(isReturn ? m.banking_undo_return_title : m.banking_reverse_title)({ amount, email })}
          description={isReturn ? m.banking_undo_return_text() : m.banking_reverse_text()}
          hint={m.banking_reason_seen()}
          act={m.banking_reverse()}
          send={(body, headers) => call(reverseBankLine, { params, body, headers })}
          done={(isReturn ? m.banking_return_undone : m.banking_reversed)({ amount })}
        />
      )
    }
    default: {
      return act satisfies never
    }
  }
}
