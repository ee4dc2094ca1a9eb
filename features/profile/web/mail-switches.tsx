import type { MailKind } from '#features/profile/rules.ts'
import { toastError } from '#foundation/web/toasts/toasts.ts'
import { Card } from '#foundation/web/ui/card.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { Switch } from '#foundation/web/ui/switch.tsx'
import { m } from '#texts/messages.js'
import { CardSkeleton } from '#foundation/web/ui/skeleton.tsx'
import { changeMailPreferences, useMailPreferences } from './settings-hooks.ts'

/** One switch for each kind of mail that a user may turn off; pressing a switch saves it. */
export function MailSwitches() {
  const query = useMailPreferences()
  return (
    <Card title={m.profile_mails()} description={m.profile_mails_text()}>
      <Loaded
        query={query}
        failed={m.profile_mails_fetch_failed()}
        waiting={<CardSkeleton phone={218} wide={158} />}
      >
        {(data) => (
          <div className="flex flex-col gap-4">
            {kinds.map(({ kind, label, hint }) => {
              const wanted = data[kind]
              return wanted === undefined ? null : (
                <MailSwitch key={kind} kind={kind} wanted={wanted} label={label()} hint={hint()} />
              )
            })}
          </div>
        )}
      </Loaded>
    </Card>
  )
}

const kinds: readonly { kind: MailKind; label: () => string; hint: () => string }[] = [
  { kind: 'ticket_replies', label: m.profile_mails_replies, hint: m.profile_mails_replies_text },
  { kind: 'ticket_closing', label: m.profile_mails_closing, hint: m.profile_mails_closing_text },
  { kind: 'news', label: m.profile_mails_news, hint: m.profile_mails_news_text },
  { kind: 'new_tickets', label: m.profile_mails_new, hint: m.profile_mails_new_text },
]

type SwitchProps = { kind: MailKind; wanted: boolean; label: string; hint: string }

function MailSwitch({ kind, wanted, label, hint }: SwitchProps) {
  const press = async () => {
    const answer = await changeMailPreferences({ [kind]: !wanted })
    if (answer.status !== 200) toastError(m.profile_mails_failed, answer)
  }
  return <Switch label={label} hint={hint} checked={wanted} onChange={() => void press()} />
}
