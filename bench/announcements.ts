import pg from 'pg'
import { deliver } from '#features/announcements/server/deliver.ts'
import { must } from '#foundation/must.ts'
import { plantReaders, publishNews } from '#tests/harness/readers.ts'
import { startInstallation } from '#tests/faults/installation.ts'
import type { Figure } from '#tools/figures/table.ts'

const READERS = 50_000

/** An announcement is queued as a mail to each of 50,000 customers, written in their language. */
export async function measureAnnouncements(): Promise<Figure[]> {
  // Only this program does jobs, so that the queueing is measured and no mail is sent meanwhile.
  const installation = await startInstallation({ ROLE: 'web', SMTP_URL: 'smtp://127.0.0.1:9' })
  const { app } = installation
  const superuser = new pg.Client({ connectionString: app.ownerUrl })
  await superuser.connect()
  try {
    await plantReaders(superuser, READERS)
    const id = await publishNews(app, superuser)
    const begun = performance.now()
    await deliver(app, { id })
    const took_s = (performance.now() - begun) / 1000
    const { rows } = await superuser.query<{ queued: number }>(
      `select count(*)::int as queued from mails where letter = 'announcement' and state = 'owed'`,
    )
    const { queued } = must(rows[0])
    if (queued !== READERS) throw new Error(`${queued} of ${READERS} mails are queued`)
    return [{ name: `${READERS} mails of an announcement queued`, value: took_s, unit: 's', most: 60 }]
  } finally {
    await superuser.end()
    await installation.close()
  }
}
