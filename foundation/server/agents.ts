/** A program on a customer's machine that was let in: whose it is, and the machine's row as its feature knows it. */
export type Agent = { id: bigint; user_id: string }

/**
 * Before each token of an agent, so that it is told from the tokens of people at a glance: by this server, by those
 * who look for leaked secrets, and by whoever finds one in a file.
 */
export const AGENT_TOKEN_PREFIX = 'hda_'
