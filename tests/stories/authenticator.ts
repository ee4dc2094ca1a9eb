import type { CDPSession } from '@playwright/test'

/** Adds a virtual passkey device to the page, which confirms every request. */
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
