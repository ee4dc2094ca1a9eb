import type { CDPSession } from '@playwright/test'

/** Gives the page a passkey device that accepts everything. */
export async function addAuthenticator(browser: CDPSession): Promise<void> {
  await browser.send('WebAuthn.enable')
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}
