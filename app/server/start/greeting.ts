import type { Config } from '#foundation/server/config.ts'

type Demo = { logins: { email: string; password: string; role: string }[]; vouchers: string[] }

/** Returns the greeting on the terminal: the URL and, at the first start, the demo logins; nothing in production. */
export function greeting({
  config,
  port,
  demo,
}: {
  config: Config
  port: number
  /** The demo data made at this start, if any. */
  demo?: Demo | undefined
}): string {
  if (config.production) return ''
  const origin = config.port === 0 ? `http://localhost:${port}` : config.publicOrigin
  const lines = ['', `  ${config.operator.name} is ready at ${origin}/account/`, '']
  if (demo?.logins.length) {
    const { logins, vouchers } = demo
    const width = Math.max(...logins.map(({ email }) => email.length))
    lines.push('  Demo logins, shown this once:')
    for (const { email, password, role } of logins)
      lines.push(`    ${email.padEnd(width)}  ${password}  (${role})`)
    lines.push(`  Vouchers to redeem: ${vouchers.join(', ')}`)
    lines.push('')
  }
  if (!config.smtpUrl) lines.push(`  Mails are kept and shown at ${origin}/dev/mail/`, '')
  return `${lines.join('\n')}\n`
}
