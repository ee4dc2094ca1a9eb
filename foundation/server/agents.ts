/** A program on a customer's machine that was let in: its owner, and the machine's row as its feature knows it. */
export type Agent = { id: bigint; user_id: string }

/**
 * The prefix of each agent token, to distinguish it from people's tokens at a glance: for this server, for scanners
 * that look for leaked secrets, and for anybody who finds one in a file.
 */
export const AGENT_TOKEN_PREFIX = 'hda_'
