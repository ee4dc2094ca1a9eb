/** Returns a command as the operator types it: through npm in a checkout, or with the `hostdesk` of a release. */
export const commandLine = (words: string): string =>
  `${process.env['npm_lifecycle_event'] ? 'npm run hostdesk -- ' : 'hostdesk '}${words}`
