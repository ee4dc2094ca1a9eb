import type { App } from '#foundation/server/app.ts'
import type { Tx } from '#foundation/server/database/transaction.ts'
import { findUser } from '#foundation/server/session/session.ts'
import { zipped, type ZippedFile } from '#foundation/server/zip.ts'
import { must } from '#foundation/must.ts'
import { addressesOf } from './queries.ts'
import { readProfile } from './read-profile.ts'

export type PersonalFile = { path: string; read: () => Promise<object> }

/** Returns all data stored about an account (GDPR, articles 15 and 20) as files. Each file is read only when it is written to the ZIP. */
export async function personalFiles(app: App, tx: Tx, user_id: string): Promise<PersonalFile[]> {
  const files: PersonalFile[] = [{ path: 'profile.json', read: () => profileFile(app, user_id) }]
  for (const filesOf of app.personalData)
    for (const [path, read] of Object.entries(await filesOf(app, tx, user_id))) files.push({ path, read })
  return files
}

async function profileFile({ db }: App, user_id: string): Promise<object> {
  const { email, locale, time_zone, first_page, staff_roles } = must(await findUser(db, user_id))
  const person = { user_id, email, locale, staff_roles, time_zone, first_page, methods: [] }
  const addresses = await addressesOf(db, user_id)
  return {
    ...(await readProfile(db, { ...person, access: 'open', access_message: '' })),
    addresses: addresses.map(({ email: address, verified, is_primary }) => ({
      email: address,
      verified,
      primary: is_primary,
    })),
  }
}

/** Yields the bytes of a ZIP, one file after the other, so that years of documents do not fill the memory. */
export const zipOf = (files: readonly PersonalFile[]): AsyncGenerator<Uint8Array> => zipped(contentsOf(files))

async function* contentsOf(files: readonly PersonalFile[]): AsyncGenerator<ZippedFile> {
  for (const { path, read } of files) {
    const content = await read()
    const isPacked = content instanceof Uint8Array
    const bytes = isPacked ? content : Buffer.from(`${JSON.stringify(content, null, 2)}\n`)
    yield { path, isPacked, content: [bytes] }
  }
}
