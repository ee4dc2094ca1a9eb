import { setupOf } from '#features/operations/server/operations.ts'
import { setupTexts } from '#features/operations/setup-texts.ts'
import type { Config } from '#foundation/server/config.ts'
import { isEmptyDatabase } from '#foundation/server/database/safety.ts'
import { databaseOn, withConnection } from '#foundation/server/database/with-connection.ts'

type Finding = { name: string; state: 'fine' | 'warning'; text: string }

/** Returns the list of what is to be set up, as the pages of staff show it; [] for a demo, and before the first start. */
export async function examineSetup(ownerUrl: string, config: Config): Promise<Finding[]> {
  const items = await withConnection(ownerUrl, async (client) =>
    (await isEmptyDatabase(client)) ? [] : setupOf(config, databaseOn(client)),
  )
  return items.map(({ name, state }) => {
    const { title, text, settings = [] } = setupTexts[name]
    const finding = { name: `Set up: ${title({}, said)}` }
    if (state === 'open')
      return { ...finding, state: 'warning', text: [text({}, said), ...settings].join(' ') }
    return { ...finding, state: 'fine', text: state === 'done' ? 'done' : 'not needed' }
  })
}

const said = { locale: 'en' } as const
