import type { Tx } from '#foundation/server/database/transaction.ts'

export type NewMail = {
  id: string
  user_id: string | null
  to_address: string
  letter: string
  locale: string
  state: 'owed' | 'kept'
  content: string
}

export async function insertMail(tx: Tx, mail: NewMail): Promise<void> {
  await tx.insertInto('mails').values(mail).execute()
}
