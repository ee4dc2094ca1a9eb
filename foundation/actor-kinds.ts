/**
 * The kinds of actors: the person themselves, a member of staff for them, another customer (who helps or pays), the command line,
 * the product by itself, or somebody who had not proven who they are.
 */
export const actorKinds = ['self', 'staff', 'customer', 'cli', 'system', 'stranger'] as const
export type ActorKind = (typeof actorKinds)[number]
