import { globSync, readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { createHost } from '#features/hosts/server/hosts.ts'
import { offerTransfer, withdrawTransfer } from '#features/hosts/transfer-contract.ts'
import { createAgreement } from '#features/payers/contract.ts'
import { addAddress } from '#features/profile/contract.ts'
import { createGrant } from '#features/sharing/contract.ts'
import { createInvitation } from '#features/team/contract.ts'
import type { App } from '#foundation/server/app.ts'
import { transaction } from '#foundation/server/database/transaction.ts'
import type { Customer } from '#tests/harness/customer.ts'

/** The kinds of mails that say `stranger: true`, as the sources declare them. */
export const mailsToStrangers = (): string[] =>
  globSync('features/**/server/**/*mail*.ts').flatMap((file) => {
    const [, ...templates] = readFileSync(file, 'utf8').split(/mailTemplate(?:<.*>)?\(\s*'/)
    return templates
      .filter((template) => template.includes('stranger: true'))
      .map((template) => template.slice(0, template.indexOf("'")))
  })

/** Lets a customer who is an owner of the installation, too, cause each kind of mail to an address that is not theirs. */
export async function mailAll(app: App, { api, user_id }: Customer, email: string): Promise<void> {
  const name = 'www.evil.example.com'
  const { public_id: hostId } = await transaction(app, 'system', (tx) =>
    createHost(tx, { user_id, name, ipv4: null }),
  )
  const params = { hostId }
  const answers = [
    await api.call(createGrant, { body: { email, role: 'technical', all_hosts: true } }),
    await api.call(createAgreement, {
      headers: {},
      body: { email, side: 'owner', all_hosts: true, pays: 'renewals' },
    }),
    await api.call(createAgreement, {
      headers: {},
      body: { email, side: 'payer', all_hosts: true, pays: 'renewals' },
    }),
    await api.call(offerTransfer, { params, headers: {}, body: { email, name } }),
    await api.call(withdrawTransfer, { params }),
    await api.call(createInvitation, { body: { email, roles: ['support'] } }),
    await api.call(addAddress, { body: { email } }),
  ]
  for (const { status, body } of answers) expect(status, JSON.stringify(body)).toBeLessThan(300)
}
