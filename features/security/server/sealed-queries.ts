import type { Tx } from '#foundation/server/database/transaction.ts'

type SealedTotp = { user_id: string; secret: string }

/** Returns secrets that were sealed with another key than `boxId`, and locks their rows. */
export async function totpsOfOtherKeys(tx: Tx, boxId: string, limit: number): Promise<SealedTotp[]> {
  return tx
    .selectFrom('totp_authenticators')
    .select(['user_id', 'secret'])
    .where('secret', 'not like', `${boxId}.%`)
    .limit(limit)
    .forUpdate()
    .execute()
}

export async function setTotpSecret(tx: Tx, { user_id, secret }: SealedTotp): Promise<void> {
  await tx.updateTable('totp_authenticators').set({ secret }).where('user_id', '=', user_id).execute()
}

type SealedCode = { user_id: string; place: number; sealed: string }

export async function codesOfOtherKeys(tx: Tx, boxId: string, limit: number): Promise<SealedCode[]> {
  return tx
    .selectFrom('recovery_codes')
    .select(['user_id', 'place', 'sealed'])
    .where('sealed', 'not like', `${boxId}.%`)
    .limit(limit)
    .forUpdate()
    .execute()
}

export async function setRecoveryCode(tx: Tx, code: SealedCode & { digest: Buffer }): Promise<void> {
  const { user_id, place, ...sealed } = code
  await tx
    .updateTable('recovery_codes')
    .set(sealed)
    .where('user_id', '=', user_id)
    .where('place', '=', place)
    .execute()
}
