import type { BankImport } from '#features/banking/contract.ts'
import type { Client } from './client.ts'
import { untilAnswered } from './until-answered.ts'

/** Imports a file of a bank as the page does. A refusal has the body of errors. */
export function sendStatement(
  { url, access_token }: Client,
  content: string | Uint8Array,
  path = 'bank-files/',
): Promise<{ status: number; body: BankImport }> {
  return untilAnswered(async () => {
    const form = new FormData()
    form.append('file', new Blob([content as BlobPart]), 'statement.xml')
    const response = await fetch(`${url}/api/staff/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${access_token}` },
      body: form,
    })
    return { status: response.status, body: (await response.json()) as BankImport }
  })
}
