/** How a command of the operator is typed here, for texts that name one: through npm, or with the `hostdesk` of a release. */
export const commandLine = (words: string): string =>
  `${process.env['npm_lifecycle_event'] ? 'npm run hostdesk -- ' : 'hostdesk '}${words}`
