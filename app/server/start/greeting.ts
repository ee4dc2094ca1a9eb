import type { Config } from '#foundation/server/config.ts'

type Demo = { logins: { email: string; password: string; role: string }[]; vouchers: string[] }

/** What a person sees when it runs: where to go, and, after the first start, who to be there. */
export function greeting({
  config,
  port,
  demo,
}: {
  config: Config
  port: number
  /** What was made at this start, if anything. */
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
