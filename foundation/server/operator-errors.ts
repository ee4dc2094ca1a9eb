import { ConfigError } from './config-error.ts'

// Errors for an operator who did not get what they asked for. The exit code of the command line tells them apart.

/** The operator gave a value of the wrong form, or out of its range. */
export class WrongUse extends Error {}

/** A rule of the product forbids the command in the present state of things. */
export class Refused extends Error {}

/** The thing that the operator named does not exist. */
export class NotFound extends Error {}

/** Somebody else is working on the same thing, or a service is down: the same command may succeed later. */
export class TryLater extends ConfigError {}

/** The bytes that came in are no mail that can be kept: the mail server tells its sender so. */
export class BadData extends Error {}

/** The recipient is no address of this installation: the mail server tells the sender so. */
export class NoUser extends Error {}
