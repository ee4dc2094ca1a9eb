import type { MailKindPage } from '#features/operations/mail-contract.ts'
import { formatDateTime } from '#foundation/web/i18n/format.ts'
import { Button } from '#foundation/web/ui/button.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { m } from '#texts/messages.js'
import { useRestore } from './use-restore.ts'

type Props = { page: MailKindPage; section: string; onDone: () => void }
type Past = MailKindPage['history'][number]

/** The earlier versions of a mail in all its languages, our texts last, each with the way back to it. */
export function MailHistory({ page: { history, words }, section, onDone }: Props) {
  const { pending, restore, dialog } = useRestore((isRestored) => isRestored && onDone())
  const former = history.filter(({ is_present }) => !is_present)
  if (former.length === 0) return null
  return (
    <details>
      <summary className="mb-2 cursor-pointer text-sm font-medium">{m.operations_company_history()}</summary>
      <List label={m.operations_company_history()}>
        {former.map((past) => (
          <ListRow
            key={past.version}
            title={
              past.version === 1
                ? m.operations_mails_first()
                : m.operations_mails_version({ version: past.version })
            }
            detail={past.changed_at === null ? undefined : byOf(past, past.changed_at)}
            actions={
              <Button
                size="small"
                pending={pending}
                onClick={() => restore({ section, version: words.version, to: past.version })}
              >
                {m.operations_company_restore()}
              </Button>
            }
          />
        ))}
      </List>
      {dialog}
    </details>
  )
}

const byOf = ({ changed_by }: Past, changed_at: string): string =>
  m.operations_company_version_by({ name: changed_by?.name ?? '–', time: formatDateTime(changed_at) })
