import { describe, expect, it, beforeEach } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import {
  authenticators,
  passkeyPath,
  codes,
  blueKey,
  ok,
  sent,
  bodies,
  button,
  field,
  dialog,
  lastToast,
  open,
  startSecurity,
} from '#tests/web/security-page.tsx'
import { inAct } from '#tests/web/render.tsx'
import { reply } from '#tests/web/wire.ts'
import { refreshAuthenticators } from './hooks.ts'

beforeEach(startSecurity)

const creation = (challenge: string, site = location.hostname) =>
  ok({
    creation_options: {
      publicKey: {
        challenge,
        rp: { id: site, name: 'Hostdesk' },
        user: { id: 'MQ', name: 'anna@example.com', displayName: 'anna@example.com' },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
    },
  })

async function withAuthenticator<T>(work: () => Promise<T>): Promise<T> {
  const session = cdp() as unknown as {
    send: (method: string, params?: object) => Promise<{ authenticatorId: string }>
  }
  await session.send('WebAuthn.enable')
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  }
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', { options })
  try {
    return await work()
  } finally {
    await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
  }
}

describe('passkeys', () => {
  it('adds one by the browser’s own dialog', async () => {
    await open()
    await reply(`GET ${passkeyPath}`, creation('Y2hhbGxlbmdl'))
    await reply(`POST ${passkeyPath}`, ok(blueKey, { recovery_codes_generated: true }))
    await withAuthenticator(async () => {
      await userEvent.click(button('Add passkey'))
      await userEvent.fill(field('Name'), 'Blue key')
      await reply(`GET ${authenticators}`, ok([blueKey, codes]))
      await userEvent.click(button('Continue'))
      await expect.poll(lastToast).toBe('Passkey added')
    })
    const [body] = await bodies('POST', passkeyPath)
    expect(body).toMatchObject({
      name: 'Blue key',
      credential: { type: 'public-key', response: { clientDataJSON: expect.any(String) } },
    })
    expect((await sent('GET', passkeyPath))[0]?.path).toContain('passwordless=')
    await expect.element(page.getByRole('button', { name: 'Actions for “Blue key”' })).toBeVisible()
  })

  it('shows that the customer cancelled', async () => {
    await open()
    // A challenge for another site: the browser refuses at once, as it does on a cancel.
    await reply(`GET ${passkeyPath}`, creation('Y2hhbGxlbmdl', 'elsewhere.example'))
    await userEvent.click(button('Add passkey'))
    await userEvent.click(button('Continue'))
    await expect.element(page.getByText('No passkey was created. Please try again.')).toBeVisible()
    expect(await sent('POST', passkeyPath)).toEqual([])
  })

  it('renames and removes one', async () => {
    await open(blueKey, codes)
    await reply(`PUT ${passkeyPath}`, ok({ ...blueKey, name: 'Office' }))
    await reply(`DELETE ${passkeyPath}`, { status: 200, body: { status: 200 } })
    await userEvent.click(page.getByRole('button', { name: 'Actions for “Blue key”' }))
    await userEvent.click(page.getByRole('menuitem', { name: 'Rename' }))
    await userEvent.fill(field('Name'), 'Office')
    await reply(`GET ${authenticators}`, ok([{ ...blueKey, name: 'Office' }, codes]))
    await userEvent.click(button('Save'))
    await expect.element(page.getByRole('button', { name: 'Actions for “Office”' })).toBeVisible()
    expect(await bodies('PUT', passkeyPath)).toEqual([{ id: 7, name: 'Office' }])
    await userEvent.click(page.getByRole('button', { name: 'Actions for “Office”' }))
    await userEvent.click(page.getByRole('menuitem', { name: 'Remove' }))
    await reply(`GET ${authenticators}`, ok([]))
    await userEvent.click(
      dialog('Remove the passkey “Office”?').getByRole('button', { name: 'Remove', exact: true }),
    )
    await expect.element(page.getByText('You don’t have any passkeys yet.')).toBeVisible()
    expect(await bodies('DELETE', passkeyPath)).toEqual([{ authenticators: [7] }])
  })

  it('rule 45: a name follows the one saved in another tab, and is not sent back', async () => {
    await open(blueKey, codes)
    await userEvent.click(page.getByRole('button', { name: 'Actions for “Blue key”' }))
    await userEvent.click(page.getByRole('menuitem', { name: 'Rename' }))
    await expect.element(field('Name')).toHaveValue('Blue key')
    await reply(`GET ${authenticators}`, ok([{ ...blueKey, name: 'Elsewhere' }, codes]))
    await inAct(() => refreshAuthenticators())
    await expect.element(field('Name')).toHaveValue('Elsewhere')
    await userEvent.click(button('Save'))
    await expect.element(field('Name')).not.toBeInTheDocument()
    expect(await bodies('PUT', passkeyPath)).toEqual([])
  })
})
