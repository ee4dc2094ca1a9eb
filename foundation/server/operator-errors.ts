import { ConfigError } from './config-error.ts'

// Errors for an operator who did not get what they asked for. The exit code of the command line tells them apart.

/** A value that is none: of the wrong form, or out of its range. */
export class WrongUse extends Error {}

/** A rule of the product forbids it as things are. */
export class Refused extends Error {}

/** The named thing is not there. */
export class NotFound extends Error {}

/** Somebody else is at it, or something is down: the same may succeed later. */
export class TryLater extends ConfigError {}
