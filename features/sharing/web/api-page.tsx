import { useQuery } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import { useState } from 'react'
import { settingsPaths } from '#features/paths.ts'
import { apiParts } from '#features/sharing/slots.ts'
import { endToken, listTokens, type AccountToken } from '#features/sharing/token-contract.ts'
import { call } from '#foundation/web/api/call.ts'
import { queryFor, refreshQueries } from '#foundation/web/api/query.ts'
import { FormDialog } from '#foundation/web/form/form-dialog.tsx'
import { useForm } from '#foundation/web/form/use-form.ts'
import { Slot } from '#foundation/web/slots.tsx'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { toastSuccess } from '#foundation/web/toasts/toasts.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { SettingsPage } from '#foundation/web/ui/settings-page.tsx'
import { m } from '#texts/messages.js'
import { TokenList } from './token-list.tsx'

const NewToken = lazyPart(() => import('./new-token.tsx').then((file) => file.NewToken))

/** The tokens by which programs act for the account. Mails about their ends lead here. */
export function ApiPage() {
  const query = useQuery(queryFor(listTokens))
  const made = useLazyDialog(NewToken)
  return (
    <SettingsPage {...settingsPaths} title={m.shell_api()} description={m.sharing_tokens_text()}>
      <Card
        title={m.sharing_tokens()}
        footer={
          <a
            href="/api/docs/"
            target="_blank"
            rel="noreferrer"
            className="rounded-sm py-0.5 text-accent-text underline underline-offset-2"
          >
            {m.sharing_tokens_guide()}
          </a>
        }
        actions={
          <Button icon={<Plus size={15} aria-hidden="true" />} {...made.opener}>
            {m.sharing_token_new()}
          </Button>
        }
      >
        <TokenList query={query} waiting="h-16" none={m.sharing_tokens_none()}>
          {(token) => <EndToken token={token} />}
        </TokenList>
        {made.open ? <NewToken {...made.dialog} /> : null}
      </Card>
      <Slot of={apiParts} props={{}} />
    </SettingsPage>
  )
}

function EndToken({ token: { id, name } }: { token: AccountToken }) {
  const [open, setOpen] = useState(false)
  const form = useForm(async () => {
    const answer = await call(endToken, { params: { tokenId: id } })
    refreshQueries(listTokens)
    // A 404 means that it has ended meanwhile; the list shows that.
    if (answer.status !== 204 && answer.status !== 404) return answer
    toastSuccess(m.sharing_token_ended)
    setOpen(false)
    return undefined
  })
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)}>
        {m.sharing_token_end_act()}
      </Button>
      {open ? (
        <FormDialog
          open
          onClose={() => setOpen(false)}
          title={m.sharing_token_end_title({ name })}
          description={m.sharing_token_end_text()}
          form={form}
          act={m.sharing_token_end_act()}
          look="danger"
        />
      ) : null}
    </>
  )
}
