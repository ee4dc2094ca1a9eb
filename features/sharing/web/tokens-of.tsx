import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { endTokenOf, listTokensOf, type AccountToken } from '#features/sharing/token-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { ActDialog } from '#foundation/web/form/act-dialog.tsx'
import type { DialogProps } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { TextField } from '#foundation/web/ui/text-field.tsx'
import { m } from '#texts/messages.js'
import { TokenList } from './token-list.tsx'

/** The tokens of a customer, for staff: what they may do, their use, and their end with a reason. */
export function TokensOf({ userId }: { userId: string }) {
  const query = useQuery(queryFor(listTokensOf, { params: { userId } }))
  return (
    <Card title={m.sharing_tokens()}>
      <TokenList query={query} waiting="h-10" none={m.sharing_tokens_of_none()}>
        {(token) => <EndOf userId={userId} token={token} />}
      </TokenList>
    </Card>
  )
}

type Props = { userId: string; token: AccountToken }

function EndOf(props: Props) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {m.sharing_token_end_act()}
      </Button>
      {open ? <EndDialog {...props} open onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function EndDialog({ userId, token: { id: tokenId, name }, ...dialog }: Props & DialogProps) {
  return (
    <ActDialog
      {...dialog}
      about={tokenId}
      title={m.sharing_token_end_title({ name })}
      description={m.sharing_token_end_of_text()}
      act={m.sharing_token_end_act()}
      look="danger"
      submit={async (fields, send) => {
        const reason = fields.text('reason')
        const answer = await send(reason, () =>
          call(endTokenOf, { params: { userId, tokenId }, query: { reason } }),
        )
        if (!answer) return undefined
        refreshQueries(listTokensOf)
        // A 404 means that it has ended meanwhile; the list shows that.
        if (answer.status !== 204 && answer.status !== 404) return answer
        toastSuccess(m.sharing_token_ended)
        return dialog.onClose()
      }}
    >
      <TextField
        name="reason"
        label={m.sharing_token_reason()}
        hint={m.sharing_token_reason_hint()}
        autoComplete="off"
        required
      />
    </ActDialog>
  )
}
