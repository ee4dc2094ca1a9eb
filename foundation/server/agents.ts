/** An authenticated program on a customer's machine: `user_id` is its owner, `id` the machine's row in the feature that owns the tokens. */
export type Agent = { id: bigint; user_id: string }

/**
 * The prefix of each agent token, to distinguish it from people's tokens at a glance: for this server, for scanners
 * that look for leaked secrets, and for anybody who finds one in a file.
 */
export const AGENT_TOKEN_PREFIX = 'hda_'
