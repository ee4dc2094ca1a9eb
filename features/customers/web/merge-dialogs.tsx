import { mergeAccount, undoMerge, type UndoneMerge } from '#features/customers/merge-contract.ts'
import type { CustomerCard } from '#features/support/desk/contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { m } from '#texts/messages.js'
import { AddressAndIdentity } from './address-and-identity.tsx'
import { CustomerActDialog } from './customer-act-dialog.tsx'

type Props = DialogProps & { card: CustomerCard }

/** Merges an account into another one of the same person, once a second person has confirmed it and after a waiting time. */
export const MergeAccount = ({ card, ...dialog }: Props) => (
  <CustomerActDialog
    {...dialog}
    title={m.customers_merge_title({ name: card.name || card.email })}
    description={m.customers_merge_text()}
    act={m.customers_merge()}
    look="danger"
    before={<AddressAndIdentity label={m.customers_merge_email()} />}
    send={(reason, fields) =>
      call(mergeAccount, {
        params: { userId: card.id },
        body: { email: fields.text('email'), identity: fields.text('identity'), reason },
      })
    }
    done={(answer) =>
      answer.status === 200
        ? m.customers_merge_requested({ date: formatDateTime(answer.body.due_at) })
        : m.customers_merge_waits()
    }
  />
)

/** Undoes the merge of an account, as far as still possible. */
export const UndoMerge = ({ card, ...dialog }: Props) => (
  <CustomerActDialog
    {...dialog}
    title={m.customers_unmerge_title({ name: card.name || card.email })}
    description={m.customers_unmerge_text()}
    act={m.customers_unmerge()}
    send={(reason) => call(undoMerge, { params: { userId: card.id }, body: { reason } })}
    done={(answer) => (answer.status === 200 ? undoneText(answer.body) : m.customers_unmerged())}
  />
)

/** Says what stays where it is. */
function undoneText({ servers_left, balance_left }: UndoneMerge): string {
  const names = servers_left.join(', ')
  const texts = [
    ...(balance_left ? [m.customers_unmerged_balance()] : []),
    ...(servers_left.length > 0 ? [m.customers_unmerged_servers({ names })] : []),
  ]
  return texts.length > 0 ? texts.join('. ') : m.customers_unmerged()
}
