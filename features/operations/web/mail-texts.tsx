import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { listMailKinds, type ListedKind } from '#features/operations/mail-contract.ts'
import { locales, type Locale } from '#foundation/locale.ts'
import { queryFor } from '#foundation/web/api/query.ts'
import { useLocale } from '#foundation/web/i18n/locale.ts'
import { Badge } from '#foundation/web/ui/badge.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Dialog } from '#foundation/web/ui/dialog.tsx'
import { List, ListRow } from '#foundation/web/ui/list.tsx'
import { LoadedList } from '#foundation/web/ui/loaded-list.tsx'
import { SearchField } from '#foundation/web/ui/search-field.tsx'
import { m } from '#texts/messages.js'
import { EditMail } from './edit-mail.tsx'
import { closingTexts } from './edit-words.tsx'

type Chosen = { kind: ListedKind; locale: Locale }

/** All kinds of mails, each by its subject, and the texts of the chosen one in a language. */
export function MailTexts({ onClose }: { onClose: () => void }) {
  const query = useQuery(queryFor(listMailKinds))
  const [wanted, setWanted] = useState('')
  const [chosen, setChosen] = useState<Chosen>()
  if (chosen) return <EditMail {...chosen} onClose={() => setChosen(undefined)} />
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={m.operations_mails()}
      description={m.operations_mails_description()}
    >
      <div className="flex flex-col gap-4">
        <SearchField
          label={m.operations_mails_find()}
          placeholder={m.operations_mails_find()}
          value={wanted}
          onSearch={setWanted}
        />
        <LoadedList query={query} failed={m.operations_mails_failed()} none={m.operations_mails_none()}>
          {(items) => <Kinds items={items} wanted={wanted} onChoose={setChosen} />}
        </LoadedList>
      </div>
    </Dialog>
  )
}

type KindsProps = {
  items: readonly ListedKind[]
  wanted: string
  onChoose: (chosen: Chosen) => void
}

function Kinds({ items, wanted, onChoose }: KindsProps) {
  const own = useLocale()
  const shown = items.filter(({ kind, subject }) =>
    [kind, ...Object.values(subject)].some((said) => said.toLowerCase().includes(wanted.toLowerCase())),
  )
  if (shown.length === 0) return <p className="text-sm text-muted">{m.operations_mails_none()}</p>
  return (
    <List label={m.operations_mails()}>
      {shown.map((kind) => (
        <ListRow
          key={kind.kind}
          title={kind.subject[own]}
          detail={<span className="font-mono text-xs">{kind.kind}</span>}
          badge={
            kind.changed.length > 0 ? (
              <Badge>
                {m.operations_mails_changed({
                  languages: kind.changed.map((locale) => locale.toUpperCase()).join(', '),
                })}
              </Badge>
            ) : undefined
          }
          actions={locales.map((locale) => (
            <Button key={locale} size="small" onClick={() => onChoose({ kind, locale })}>
              {closingTexts[locale]()}
            </Button>
          ))}
        />
      ))}
    </List>
  )
}
