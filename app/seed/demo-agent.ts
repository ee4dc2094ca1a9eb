import { createHmac } from 'node:crypto'
import { INTERVAL_S } from '#features/hosts/rules.ts'
import { findByAgentToken, recordCheckIn } from '#features/hosts/server/hosts.ts'
import { AGENT_TOKEN_PREFIX } from '#foundation/server/agents.ts'
import type { App } from '#foundation/server/app.ts'
import { jobKind } from '#foundation/server/jobs/classes.ts'
import { cronJob } from '#foundation/server/jobs/jobs.ts'
import { connected } from './anna-year.ts'
import { metricsAt } from './metrics.ts'

/**
 * The agent of the example server, so that somebody who looks around sees a server that is online: a job, since there is
 * no such machine. It checks in by the same path as a real agent, with its own token, and reports figures that are made
 * up. Renew the token or delete the server and it is refused, as any agent: the page then shows a silent server. It
 * runs only where there is demo data, and so never in production.
 */
export const demoAgent = cronJob(jobKind('demo_agent', 'rest'), INTERVAL_S, async (app) => {
  const agent = await findByAgentToken(app, demoToken(app))
  if (!agent) return
  const { uptime_s, ...measured } = metricsAt(new Date())
  const figures = { ...measured, uptime_s, version: '0.1.0', hostname: connected.name }
  await recordCheckIn(app, { host_id: agent.id, address: connected.ipv4, figures })
})

/** Derived from the installation's key: nobody needs to store it, and nobody else can compute it. */
export const demoToken = ({ keys }: App): string =>
  AGENT_TOKEN_PREFIX + createHmac('sha256', keys.digests).update('demo agent').digest('base64url')
