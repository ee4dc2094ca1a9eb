import { useLazyDialog } from '#foundation/web/lazy-dialog.ts'
import { lazyPart } from '#foundation/web/lazy-page.tsx'
import { Button } from '#foundation/web/ui/button.tsx'
import { Card } from '#foundation/web/ui/card.tsx'
import { Facts } from '#foundation/web/ui/facts.tsx'
import { Loaded } from '#foundation/web/ui/loaded.tsx'
import { isViewing } from '#foundation/web/viewing.ts'
import { m } from '#texts/messages.js'
import { useAlertSettings } from './alert-hooks.ts'
import { limitText, minutesText } from './alert-texts.ts'

const Values = lazyPart(() => import('./alert-values.tsx').then((file) => file.AccountAlertValues))

/** When alerts open, for all servers of the account: a part of its settings. */
export function AccountAlerts() {
  const query = useAlertSettings()
  const change = useLazyDialog(Values)
  return (
    <Card
      title={m.hosts_alerts()}
      description={m.hosts_alerts_all_text()}
      end={
        query.data && !isViewing() ? (
          <Button size="small" {...change.opener}>
            {m.hosts_alerts_change()}
          </Button>
        ) : undefined
      }
    >
      <Loaded query={query} failed={m.hosts_alerts_failed()} waiting="h-12">
        {(data) => (
          <>
            <Facts
              facts={[
                { name: m.hosts_alerts_offline(), value: minutesText(data.offline_minutes) },
                { name: m.hosts_alerts_disk(), value: limitText(data.disk_percent) },
              ]}
            />
            {change.open ? <Values saved={data} {...change.dialog} /> : null}
          </>
        )}
      </Loaded>
    </Card>
  )
}
