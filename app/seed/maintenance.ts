import { insertAnnouncement, publishRevision } from '#features/announcements/server/queries.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { connected } from './anna-year.ts'

/**
 * Announces maintenance of Anna's online server for next Sunday, 2:00 to 4:00 UTC. No live event is sent, because no page is open at
 * the first start. `by` is the member of staff who announces it.
 */
export async function seedMaintenance(tx: Tx, by: string): Promise<void> {
  const starts_at = new Date()
  starts_at.setUTCDate(starts_at.getUTCDate() + 7 - starts_at.getUTCDay())
  starts_at.setUTCHours(2, 0, 0, 0)
  const id = await insertAnnouncement(
    tx,
    {
      kind: 'maintenance',
      title: {
        en: 'New switch in rack 7',
        de: 'Neuer Switch in Rack 7',
        ru: 'Новый коммутатор в стойке 7',
      },
      text: {
        en: `${connected.name} is unreachable for a few minutes within this time.`,
        de: `${connected.name} ist in dieser Zeit für einige Minuten nicht erreichbar.`,
        ru: `В это время ${connected.name} будет недоступен несколько минут.`,
      },
      starts_at,
      ends_at: new Date(starts_at.getTime() + 2 * 3_600_000),
      scope: { hosts: [connected.ipv4] },
      mail: false,
    },
    by,
  )
  await publishRevision(tx, id, undefined)
}
