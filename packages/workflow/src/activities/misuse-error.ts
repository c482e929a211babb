/**
 * A mistake in the agent's code that trying again cannot mend: no outcome returned, a value that is not JSON, a part that no client can read.
 * It ends the turn or command at once. The code sees a TypeError; the message is for its developer, in the log.
 */
export class MisuseError extends TypeError {}
